package poot.core.text.reply;

import java.util.Optional;
import java.util.Set;

/**
 * The header of a message in the harmony format: role, channel and recipient, the last two in any order, and the type
 * of its content.
 *
 * @param channel   {@code analysis}, {@code commentary} or {@code final}; empty where none is named
 * @param recipient whom it is for, if not the user
 */
record Header(String channel, Optional<String> recipient) {
    static final String START = "<|start|>";
    static final String CHANNEL = "<|channel|>";
    static final String CONSTRAIN = "<|constrain|>";
    static final String TO = "to=";
    static final String ROLE = "assistant";
    private static final Set<String> CHANNELS = Set.of("analysis", "commentary", "final");
    private static final Set<String> TYPES = Set.of("json", "code", "text");
    private static final Set<String> EVERYBODY = Set.of("user", "all");

    /** The header that a text is, from the mark that begins it to the one that ends it; none if it has other words. */
    static Optional<Header> read(String text) {
        String spaced = text.replace(START, "").replace(CHANNEL, " " + CHANNEL).replace(CONSTRAIN, " ");
        String channel = "";
        Optional<String> recipient = Optional.empty();
        boolean first = true;
        for (String word : spaced.strip().split("[ \\n\\t\\r]+")) {
            if (word.startsWith(CHANNEL) && channel.isEmpty() && CHANNELS.contains(word.substring(CHANNEL.length()))) {
                channel = word.substring(CHANNEL.length());
            } else if (word.startsWith(TO) && recipient.isEmpty()) {
                recipient = Optional.of(word.substring(TO.length())).filter(r -> !EVERYBODY.contains(r));
            } else if (!(first && word.equals(ROLE)) && !word.isEmpty() && !TYPES.contains(word)) {
                return Optional.empty();
            }
            first = false;
        }
        return Optional.of(new Header(channel, recipient));
    }
}
