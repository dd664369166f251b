package poot.serve.command;

import java.util.Locale;

/** The speed of one generation, from its first moment. */
final class Figures {
    private final long start = System.nanoTime();
    private final int promptTokens;
    private long first;
    private int tokens;

    Figures(int promptTokens) {
        this.promptTokens = promptTokens;
    }

    /** Notes a token. */
    void token() {
        if (tokens++ == 0) {
            first = System.nanoTime();
        }
    }

    /** One line for a person: tokens per second and time to first token. */
    @Override
    public String toString() {
        if (tokens == 0) {
            return promptTokens + " prompt tokens, nothing generated";
        }
        double toFirst = (first - start) / 1e9;
        double rest = (System.nanoTime() - first) / 1e9;
        String decode = tokens < 2 ? "" : String.format(Locale.ROOT, ", then %.1f tokens/s", (tokens - 1) / rest);
        return String.format(Locale.ROOT, "%d prompt tokens, first token after %.0f ms (%.1f tokens/s)%s; %d tokens",
                promptTokens, toFirst * 1e3, promptTokens / toFirst, decode, tokens);
    }
}
