package poot.backend.cpu.kernel.attention;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.FLOAT;
import static poot.backend.cpu.kernel.Lanes.LITTLE;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import poot.backend.cpu.kernel.Lanes;

/**
 * scores [n] = k [n, d] · q [d], sixteen positions at a time. Sixteen vectors of partial products become sixteen sums
 * by merging neighbouring lanes of pairs of vectors, so that d need not be long for the sums to be cheap; each is added
 * up in the order of {@link Lanes#sum(FloatVector)}.
 *
 * <p>n is rounded up to sixteen: a row of k past the last is the last again; its score is put past n and means nothing.
 */
final class ScoreTile {
    private static final VectorMask<Float> ODD_1 = odd(1);
    private static final VectorMask<Float> ODD_2 = odd(2);
    private static final VectorMask<Float> ODD_4 = odd(4);
    private static final VectorMask<Float> ODD_8 = odd(8);
    private static final VectorShuffle<Float> SWAP_1 = swap(1);
    private static final VectorShuffle<Float> SWAP_2 = swap(2);
    private static final VectorShuffle<Float> SWAP_4 = swap(4);
    private static final VectorShuffle<Float> SWAP_8 = swap(8);

    private ScoreTile() {}

    /** Strides and positions are in bytes. */
    static void multiply(MemorySegment q, long qAt, MemorySegment k, long kAt, long kStride, int n, int d, MemorySegment out, long to) {
        for (int j = 0; j < n; j += 16) {
            sixteen(q, qAt, k, kAt + j * kStride, kStride, n - j, d, out, to + 4L * j);
        }
    }

    private static void sixteen(MemorySegment a, long p, MemorySegment b, long q, long bStride, int n, int d, MemorySegment c, long to) {
        int last = n - 1;
        FloatVector r0 = four(a, p, b, q, bStride, 0, last, d);
        FloatVector r1 = four(a, p, b, q, bStride, 4, last, d);
        FloatVector r2 = four(a, p, b, q, bStride, 8, last, d);
        FloatVector r3 = four(a, p, b, q, bStride, 12, last, d);
        if (COUNT == 16) {
            merge8(merge4(r0, r1), merge4(r2, r3)).intoMemorySegment(c, to, LITTLE);
        } else if (COUNT == 8) {
            merge4(r0, r1).intoMemorySegment(c, to, LITTLE);
            merge4(r2, r3).intoMemorySegment(c, to + 32, LITTLE);
        } else {
            r0.intoMemorySegment(c, to, LITTLE);
            r1.intoMemorySegment(c, to + 16, LITTLE);
            r2.intoMemorySegment(c, to + 32, LITTLE);
            r3.intoMemorySegment(c, to + 48, LITTLE);
        }
        int whole = Lanes.whole(d);
        if (whole < d) {
            for (int j = 0; j < 16; j++) {
                tail(a, p, b, q + Math.min(j, last) * bStride, whole, d, c, to + 4L * j);
            }
        }
    }

    /** Partial products with rows j … j + 3: lane 4g + i has the four lanes 4g … of row j + i added up. */
    private static FloatVector four(MemorySegment a, long p, MemorySegment b, long q, long bStride, int j, int last, int d) {
        long q0 = q + Math.min(j, last) * bStride;
        long q1 = q + Math.min(j + 1, last) * bStride;
        long q2 = q + Math.min(j + 2, last) * bStride;
        long q3 = q + Math.min(j + 3, last) * bStride;
        FloatVector s0 = FloatVector.zero(F32);
        FloatVector s1 = FloatVector.zero(F32);
        FloatVector s2 = FloatVector.zero(F32);
        FloatVector s3 = FloatVector.zero(F32);
        int whole = Lanes.whole(d);
        for (int i = 0; i < whole; i += COUNT) {
            long at = 4L * i;
            FloatVector x = Lanes.load(a, p + at);
            s0 = x.fma(Lanes.load(b, q0 + at), s0);
            s1 = x.fma(Lanes.load(b, q1 + at), s1);
            s2 = x.fma(Lanes.load(b, q2 + at), s2);
            s3 = x.fma(Lanes.load(b, q3 + at), s3);
        }
        FloatVector ab = s0.blend(s1, ODD_1).add(s1.blend(s0, ODD_1).rearrange(SWAP_1));
        FloatVector cd = s2.blend(s3, ODD_1).add(s3.blend(s2, ODD_1).rearrange(SWAP_1));
        return ab.blend(cd, ODD_2).add(cd.blend(ab, ODD_2).rearrange(SWAP_2));
    }

    private static FloatVector merge4(FloatVector a, FloatVector b) {
        return a.blend(b, ODD_4).add(b.blend(a, ODD_4).rearrange(SWAP_4));
    }

    private static FloatVector merge8(FloatVector a, FloatVector b) {
        return a.blend(b, ODD_8).add(b.blend(a, ODD_8).rearrange(SWAP_8));
    }

    /** c += the last products, fewer than a vector. */
    private static void tail(MemorySegment a, long p, MemorySegment b, long q, int from, int d, MemorySegment c, long to) {
        float sum = 0;
        for (int x = from; x < d; x++) {
            sum += a.get(FLOAT, p + 4L * x) * b.get(FLOAT, q + 4L * x);
        }
        c.set(FLOAT, to, c.get(FLOAT, to) + sum);
    }

    private static VectorMask<Float> odd(int bit) {
        boolean[] lanes = new boolean[COUNT];
        for (int i = 0; i < COUNT; i++) {
            lanes[i] = (i & bit) != 0;
        }
        return VectorMask.fromArray(F32, lanes, 0);
    }

    private static VectorShuffle<Float> swap(int bit) {
        return VectorShuffle.fromOp(F32, i -> (i ^ bit) & (COUNT - 1));
    }
}
