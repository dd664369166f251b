package poot.serve.bench;

/** What is measured: one turn of it gives one time. */
public sealed interface Workload {
    /** Tokens that a turn counts, all rows together. */
    int tokens();

    /** Sequences stepped together. */
    int rows();

    /** Positions a row's cache must hold. */
    int capacity();

    /** A short name for people. */
    String label();

    /**
     * A prompt from an empty cache up to its next token.
     *
     * @param tokens prompt tokens
     */
    record Prompt(int tokens) implements Workload {
        @Override
        public int rows() {
            return 1;
        }

        @Override
        public int capacity() {
            return tokens + 1;
        }

        @Override
        public String label() {
            return "prefill " + tokens;
        }
    }

    /**
     * Tokens one after another in each row, behind a filled cache.
     *
     * @param each    tokens of each row
     * @param context positions filled in each row before
     * @param rows    rows stepped together
     */
    record Continuation(int each, int context, int rows) implements Workload {
        @Override
        public int tokens() {
            return each * rows;
        }

        @Override
        public int capacity() {
            return context + each + 2;
        }

        @Override
        public String label() {
            return "decode " + each + (rows > 1 ? " × " + rows : "") + (context > 0 ? " at " + context : "");
        }
    }
}
