package poot.core.text.regex;

/** A compiled pattern: instructions in parallel arrays, the whole match starting at 0. */
final class Program {
    /** A match, or the end of a group run on its own. */
    static final int MATCH = 0;
    /** One code point of {@code set}. */
    static final int ONE = 1;
    /** First {@code x}, on failure {@code y}; a branch whose guard rejects the next code point is not tried. */
    static final int SPLIT = 2;
    /** On to {@code x}. */
    static final int JUMP = 3;
    /** Code points of {@code set}, {@code x} to {@code y} of them (-1: no end), as many as possible first. */
    static final int RUN = 4;
    /** The same, as few as possible first. */
    static final int RUN_LAZY = 5;
    /** The same, as many as possible and never fewer. */
    static final int RUN_POSSESSIVE = 6;
    /** The next code point is in {@code set} ({@code x} = 0), or is not or is missing ({@code x} = 1). */
    static final int AHEAD_ONE = 7;
    /** The group at pc+1 matches ({@code x} = 0) or does not (1); on to {@code y}. */
    static final int AHEAD = 8;
    /** The first match of the group at pc+1, kept; on to {@code y}. */
    static final int ATOMIC = 9;
    /** The code point before is in {@code set} ({@code x} = 0) or is not (1). */
    static final int BEHIND = 10;
    /** The zero-width test {@code x}. */
    static final int AT = 11;

    final int[] op;
    final int[] x;
    final int[] y;
    final CodeSet[] set;      // operand, or the guard of a split's first branch
    final CodeSet[] other;    // the guard of a split's second branch
    final CodeSet start;      // what a match begins with, or null where it may be empty

    Program(int[] op, int[] x, int[] y, CodeSet[] set, CodeSet[] other, CodeSet start) {
        this.op = op;
        this.x = x;
        this.y = y;
        this.set = set;
        this.other = other;
        this.start = start;
    }

    int size() {
        return op.length;
    }
}
