package poot.core.text.regex;

/** One bit per (state, position): the states of one scan that lead to no match, whatever came before them. */
final class FailureMemo {
    private static final long MAX_BITS = 1L << 30;

    private final long[] bits;       // [position - base][state]
    private final int base;
    private final int states;

    private FailureMemo(long bits, int base, int states) {
        this.bits = new long[(int) (bits + 63 >> 6)];
        this.base = base;
        this.states = states;
    }

    /** Room for positions from {@code base} to {@code to}; null where that would be too much. */
    static FailureMemo of(int base, int to, int states) {
        long bits = (long) (to - base + 1) * states;
        return bits > MAX_BITS ? null : new FailureMemo(bits, base, states);
    }

    /** The number of states remembered, each at each position. */
    long size() {
        return 64L * bits.length;
    }

    /** True if the state is known at this position; it is from now on. */
    boolean seen(int state, int at) {
        long bit = (long) (at - base) * states + state;
        int word = (int) (bit >> 6);
        boolean old = (bits[word] >>> bit & 1) != 0;
        bits[word] |= 1L << bit;
        return old;
    }

    /** The path of a match passes through its end; those states did not fail. */
    void forget(int stop) {
        long first = (long) (stop - base) * states;
        for (long bit = first; bit < first + states; bit++) {
            bits[(int) (bit >> 6)] &= ~(1L << bit);
        }
    }
}
