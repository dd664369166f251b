package poot.core.text.regex;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;

/** An immutable set of Unicode code points: sorted ranges, with bitmaps for the fast tests. */
public final class CodeSet {
    private static final int LAST = Character.MAX_CODE_POINT;
    private static final int FEW_RANGES = 8;
    /**
     * Ranges, first to last, whose code points have all their properties in common (The Unicode Standard, 2.8 and 23.5):
     * planes without a character, and planes of private use, without the two noncharacters each ends with.
     */
    static final int[] ALIKE = {0x40000, 0xDFFFF, 0xE1000, 0xEFFFF, 0xF0000, 0xFFFFD, 0x100000, 0x10FFFD};

    private final int[] bounds;      // [first, last, first, last, ..]: disjoint, ascending, not adjacent
    private final long low0;         // code points 0..63
    private final long low1;         // code points 64..127
    private final long[] plane;      // bitmap of U+0000..U+FFFF, or null where the ranges are few

    private CodeSet(int[] bounds) {
        this.bounds = bounds;
        long a = 0;
        long b = 0;
        for (int c = 0; c < 128; c++) {
            if (search(c)) {
                if (c < 64) {
                    a |= 1L << c;
                } else {
                    b |= 1L << c;
                }
            }
        }
        low0 = a;
        low1 = b;
        plane = bounds.length > 2 * FEW_RANGES ? bitmap() : null;
    }

    /** The code points first..last. */
    public static CodeSet range(int first, int last) {
        return new CodeSet(new int[] {first, last});
    }

    /** No code point. */
    public static CodeSet none() {
        return new CodeSet(new int[0]);
    }

    /** The code points whose bits are set. */
    static CodeSet of(BitSet codes) {
        int[] out = new int[16];
        int n = 0;
        for (int first = codes.nextSetBit(0); first >= 0; first = codes.nextSetBit(out[n - 1] + 1)) {
            out = n + 2 > out.length ? Arrays.copyOf(out, 2 * out.length) : out;
            out[n++] = first;
            out[n++] = codes.nextClearBit(first) - 1;
        }
        return new CodeSet(Arrays.copyOf(out, n));
    }

    /**
     * Every code point for which the test holds, which must hold for all or none of the code points of each of
     * {@link #ALIKE}.
     */
    public static CodeSet where(IntPredicate test) {
        int[] out = new int[64];
        int n = 0;
        int start = -1;
        int alike = 0;
        for (int c = 0; c <= LAST + 1; c++) {
            boolean in = c <= LAST && test.test(c);
            if (in && start < 0) {
                start = c;
            } else if (!in && start >= 0) {
                out = n + 2 > out.length ? Arrays.copyOf(out, 2 * out.length) : out;
                out[n++] = start;
                out[n++] = c - 1;
                start = -1;
            }
            if (alike < ALIKE.length && c == ALIKE[alike]) {
                c = ALIKE[alike + 1];
                alike += 2;
            }
        }
        return new CodeSet(Arrays.copyOf(out, n));
    }

    /** True if the code point is in the set. */
    public boolean contains(int c) {
        if (c < 128) {
            return ((c < 64 ? low0 : low1) >>> c & 1) != 0;
        }
        if (plane != null && c < 0x10000) {
            return (plane[c >> 6] >>> c & 1) != 0;
        }
        return search(c);
    }

    /** Every code point of either set. */
    public CodeSet union(CodeSet other) {
        if (bounds.length == 0) {
            return other;
        }
        if (other.bounds.length == 0) {
            return this;
        }
        int[] out = new int[bounds.length + other.bounds.length];
        int n = 0;
        int i = 0;
        int j = 0;
        while (i < bounds.length || j < other.bounds.length) {
            boolean mine = j == other.bounds.length || i < bounds.length && bounds[i] <= other.bounds[j];
            int first = mine ? bounds[i] : other.bounds[j];
            int last = mine ? bounds[i + 1] : other.bounds[j + 1];
            if (mine) {
                i += 2;
            } else {
                j += 2;
            }
            if (n > 0 && first <= out[n - 1] + 1) {
                out[n - 1] = Math.max(out[n - 1], last);
            } else {
                out[n++] = first;
                out[n++] = last;
            }
        }
        return new CodeSet(Arrays.copyOf(out, n));
    }

    /** Every code point that is not in the set. */
    public CodeSet negate() {
        int[] out = new int[bounds.length + 2];
        int n = 0;
        int next = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            if (bounds[i] > next) {
                out[n++] = next;
                out[n++] = bounds[i] - 1;
            }
            next = bounds[i + 1] + 1;
        }
        if (next <= LAST) {
            out[n++] = next;
            out[n++] = LAST;
        }
        return new CodeSet(Arrays.copyOf(out, n));
    }

    /** Every code point in both sets. */
    public CodeSet intersect(CodeSet other) {
        return negate().union(other.negate()).negate();
    }

    private boolean search(int c) {
        int lo = 0;
        int hi = bounds.length / 2 - 1;
        while (lo <= hi) {
            int mid = lo + hi >>> 1;
            if (c < bounds[2 * mid]) {
                hi = mid - 1;
            } else if (c > bounds[2 * mid + 1]) {
                lo = mid + 1;
            } else {
                return true;
            }
        }
        return false;
    }

    private long[] bitmap() {
        long[] map = new long[1024];
        for (int i = 0; i < bounds.length; i += 2) {
            for (int c = bounds[i]; c <= Math.min(bounds[i + 1], 0xFFFF); c++) {
                map[c >> 6] |= 1L << c;
            }
        }
        return map;
    }
}
