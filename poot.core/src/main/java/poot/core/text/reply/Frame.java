package poot.core.text.reply;

import java.util.function.Consumer;

/**
 * What the readers of a call share: where events go, the tools, and the text since the marker, or since the last part
 * that was understood, which becomes text for the user where it turns out to be no call.
 */
final class Frame {
    /** The most characters kept before a call is refused as one. */
    static final int LONGEST = 1 << 16;

    private final StringBuilder kept = new StringBuilder();
    private final Consumer<String> refused;
    final Events events;
    final Offered offered;

    /** @param refused takes what turns out to be text */
    Frame(Events events, Offered offered, String marker, Consumer<String> refused) {
        this.events = events;
        this.offered = offered;
        this.refused = refused;
        kept.append(marker);
    }

    void keep(char c) {
        kept.append(c);
    }

    void keep(CharSequence text) {
        kept.append(text);
    }

    boolean isFull() {
        return kept.length() >= LONGEST;
    }

    /** What was kept is understood. */
    void settle() {
        kept.setLength(0);
    }

    /** What was kept is no part of a call: it is text. */
    CallReader.Step refuse() {
        String text = kept.toString();
        settle();
        refused.accept(text);
        return CallReader.Step.LEFT;
    }

    /** {@link #refuse} after the last character kept, which is not taken. */
    CallReader.Step refuseLast() {
        kept.setLength(kept.length() - 1);
        return refuse();
    }
}
