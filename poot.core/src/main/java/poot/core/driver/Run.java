package poot.core.driver;

import java.util.List;

/** Rows fed together by one entry; the entry's other rows are padding. */
record Run(PreparedEntry entry, List<Feed> feeds) {
    /** {@code count} tokens of a sequence from its first pending one; {@code at} is its place in the caller's work. */
    record Feed(OpenSequence sequence, int count, int at) {
        /** Whether the row's pending tokens are all fed by this step. */
        boolean last() {
            return count == sequence.pending();
        }

        /** Whether a head must look at the row: to choose its next token, or to count output tokens it feeds. */
        boolean chooses() {
            boolean counts = sequence.request().sampling().readsHistory();
            return last() || counts && sequence.fed() + count > Math.max(sequence.prompt(), sequence.counted());
        }
    }
}
