package poot.backend.cpu.kernel.weight;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.FLOAT;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import poot.backend.cpu.kernel.Lanes;

/**
 * Dot products of a weight's rows and one vector, in F32, in the order in which every product with a stored weight adds,
 * however many rows of x there are, and {@code DotTile} too: a row is cut into stretches of {@link #STRETCH} elements,
 * whose sums are added in their order; of a stretch each lane is a chain of fused multiplications in the order of k, and
 * lanes are added by {@link Lanes#sum(float[], int)}; the last elements of a row, fewer than a vector, are added up and
 * added last. Several rows are multiplied at once, for one chain would wait for itself: their lanes are left in an array.
 */
public final class Dots {
    /** Elements of a stretch: a multiple of every block, and the width of a panel of decoded rows. */
    public static final int STRETCH = 1024;
    /** Rows at once; where fewer are left the last stands for those that are not there. */
    static final int ROWS = 4;

    private Dots() {}

    /** Rows of F32 in memory, {@code stride} bytes apart. */
    static void floats(MemorySegment w, long at, long stride, int last, MemorySegment x, long xAt, int n, float[] lanes) {
        long p1 = at + Math.min(1, last) * stride;
        long p2 = at + Math.min(2, last) * stride;
        long p3 = at + Math.min(3, last) * stride;
        FloatVector s0 = FloatVector.zero(F32);
        FloatVector s1 = s0;
        FloatVector s2 = s0;
        FloatVector s3 = s0;
        int whole = Lanes.whole(n);
        for (int i = 0; i < whole; i += COUNT) {
            FloatVector v = Lanes.load(x, xAt + 4L * i);
            s0 = Lanes.load(w, at + 4L * i).fma(v, s0);
            s1 = Lanes.load(w, p1 + 4L * i).fma(v, s1);
            s2 = Lanes.load(w, p2 + 4L * i).fma(v, s2);
            s3 = Lanes.load(w, p3 + 4L * i).fma(v, s3);
        }
        leave(s0, s1, s2, s3, lanes);
    }

    /** Rows of BF16 in memory, {@code stride} bytes apart. */
    static void brains(MemorySegment w, long at, long stride, int last, MemorySegment x, long xAt, int n, float[] lanes) {
        long p1 = at + Math.min(1, last) * stride;
        long p2 = at + Math.min(2, last) * stride;
        long p3 = at + Math.min(3, last) * stride;
        FloatVector s0 = FloatVector.zero(F32);
        FloatVector s1 = s0;
        FloatVector s2 = s0;
        FloatVector s3 = s0;
        int whole = Lanes.whole(n);
        for (int i = 0; i < whole; i += COUNT) {
            FloatVector v = Lanes.load(x, xAt + 4L * i);
            s0 = Dense.brains(w, at + 2L * i).fma(v, s0);
            s1 = Dense.brains(w, p1 + 2L * i).fma(v, s1);
            s2 = Dense.brains(w, p2 + 2L * i).fma(v, s2);
            s3 = Dense.brains(w, p3 + 2L * i).fma(v, s3);
        }
        leave(s0, s1, s2, s3, lanes);
    }

    /** Rows of F32 in an array, {@code stride} elements apart. */
    static void floats(float[] w, int first, int stride, int last, MemorySegment x, long xAt, int n, float[] lanes) {
        int p1 = first + Math.min(1, last) * stride;
        int p2 = first + Math.min(2, last) * stride;
        int p3 = first + Math.min(3, last) * stride;
        FloatVector s0 = FloatVector.zero(F32);
        FloatVector s1 = s0;
        FloatVector s2 = s0;
        FloatVector s3 = s0;
        int whole = Lanes.whole(n);
        for (int i = 0; i < whole; i += COUNT) {
            FloatVector v = Lanes.load(x, xAt + 4L * i);
            s0 = Lanes.load(w, first + i).fma(v, s0);
            s1 = Lanes.load(w, p1 + i).fma(v, s1);
            s2 = Lanes.load(w, p2 + i).fma(v, s2);
            s3 = Lanes.load(w, p3 + i).fma(v, s3);
        }
        leave(s0, s1, s2, s3, lanes);
    }

    private static void leave(FloatVector s0, FloatVector s1, FloatVector s2, FloatVector s3, float[] lanes) {
        s0.intoArray(lanes, 0);
        s1.intoArray(lanes, COUNT);
        s2.intoArray(lanes, 2 * COUNT);
        s3.intoArray(lanes, 3 * COUNT);
    }

    /** The sums of the lanes of {@code rows} rows to neighbouring places, or added there. */
    static void put(float[] lanes, int rows, MemorySegment out, long to, boolean add) {
        for (int i = 0; i < rows; i++) {
            put(out, to + 4L * i, Lanes.sum(lanes, i * COUNT), add);
        }
    }

    /** A sum to its place, or added there. */
    static void put(MemorySegment out, long to, float sum, boolean add) {
        out.set(FLOAT, to, add ? out.get(FLOAT, to) + sum : sum);
    }
}
