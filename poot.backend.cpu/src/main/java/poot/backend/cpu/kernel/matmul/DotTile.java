package poot.backend.cpu.kernel.matmul;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.FLOAT;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import poot.backend.cpu.kernel.Lanes;
import poot.backend.cpu.memory.Workspace;

/**
 * c [m, n] = a [m, k] · b [n, k]ᵀ, or added to c, one thread, operands in cache. Both operands run along k: a tile of
 * four by four dot products keeps sixteen accumulators in registers and leaves them in an array at the end, where their
 * lanes are summed: by plain code, always in one order. The tiles are written out because a vector in an array would
 * live in memory.
 */
public final class DotTile {
    private DotTile() {}

    /**
     * Strides and positions are in bytes.
     *
     * @param lanes scratch of {@link Workspace#LANES} elements, for sums across lanes
     */
    public static void multiply(
            MemorySegment a, long aAt, long aStride, int m, MemorySegment b, long bAt, long bStride, int n, int k,
            MemorySegment c, long cAt, long cStride, boolean add, float[] lanes) {
        int i = 0;
        for (; i + 4 <= m; i += 4) {
            long p = aAt + i * aStride;
            long to = cAt + i * cStride;
            int j = 0;
            for (; j + 4 <= n; j += 4) {
                tile4x4(a, p, aStride, b, bAt + j * bStride, bStride, k, c, to + 4L * j, cStride, add, lanes);
            }
            for (; j < n; j++) {
                tile4x1(a, p, aStride, b, bAt + j * bStride, bStride, k, c, to + 4L * j, cStride, add, lanes);
            }
        }
        for (; i < m; i++) {
            long p = aAt + i * aStride;
            long to = cAt + i * cStride;
            int j = 0;
            for (; j + 4 <= n; j += 4) {
                tile1x4(a, p, aStride, b, bAt + j * bStride, bStride, k, c, to + 4L * j, cStride, add, lanes);
            }
            for (; j < n; j++) {
                tile1x1(a, p, aStride, b, bAt + j * bStride, bStride, k, c, to + 4L * j, cStride, add, lanes);
            }
        }
    }

    private static void tile4x4(
            MemorySegment a, long p, long aStride, MemorySegment b, long q, long bStride, int k, MemorySegment c, long to,
            long cStride, boolean add, float[] lanes) {
        FloatVector s00 = FloatVector.zero(F32);
        FloatVector s01 = FloatVector.zero(F32);
        FloatVector s02 = FloatVector.zero(F32);
        FloatVector s03 = FloatVector.zero(F32);
        FloatVector s10 = FloatVector.zero(F32);
        FloatVector s11 = FloatVector.zero(F32);
        FloatVector s12 = FloatVector.zero(F32);
        FloatVector s13 = FloatVector.zero(F32);
        FloatVector s20 = FloatVector.zero(F32);
        FloatVector s21 = FloatVector.zero(F32);
        FloatVector s22 = FloatVector.zero(F32);
        FloatVector s23 = FloatVector.zero(F32);
        FloatVector s30 = FloatVector.zero(F32);
        FloatVector s31 = FloatVector.zero(F32);
        FloatVector s32 = FloatVector.zero(F32);
        FloatVector s33 = FloatVector.zero(F32);
        int whole = Lanes.whole(k);
        for (int i = 0; i < whole; i += COUNT) {
            long at = 4L * i;
            FloatVector b0 = Lanes.load(b, q + at);
            FloatVector b1 = Lanes.load(b, q + bStride + at);
            FloatVector b2 = Lanes.load(b, q + 2 * bStride + at);
            FloatVector b3 = Lanes.load(b, q + 3 * bStride + at);
            FloatVector a0 = Lanes.load(a, p + at);
            s00 = a0.fma(b0, s00);
            s01 = a0.fma(b1, s01);
            s02 = a0.fma(b2, s02);
            s03 = a0.fma(b3, s03);
            FloatVector a1 = Lanes.load(a, p + aStride + at);
            s10 = a1.fma(b0, s10);
            s11 = a1.fma(b1, s11);
            s12 = a1.fma(b2, s12);
            s13 = a1.fma(b3, s13);
            FloatVector a2 = Lanes.load(a, p + 2 * aStride + at);
            s20 = a2.fma(b0, s20);
            s21 = a2.fma(b1, s21);
            s22 = a2.fma(b2, s22);
            s23 = a2.fma(b3, s23);
            FloatVector a3 = Lanes.load(a, p + 3 * aStride + at);
            s30 = a3.fma(b0, s30);
            s31 = a3.fma(b1, s31);
            s32 = a3.fma(b2, s32);
            s33 = a3.fma(b3, s33);
        }
        s00.intoArray(lanes, 0);
        s01.intoArray(lanes, COUNT);
        s02.intoArray(lanes, 2 * COUNT);
        s03.intoArray(lanes, 3 * COUNT);
        s10.intoArray(lanes, 4 * COUNT);
        s11.intoArray(lanes, 5 * COUNT);
        s12.intoArray(lanes, 6 * COUNT);
        s13.intoArray(lanes, 7 * COUNT);
        s20.intoArray(lanes, 8 * COUNT);
        s21.intoArray(lanes, 9 * COUNT);
        s22.intoArray(lanes, 10 * COUNT);
        s23.intoArray(lanes, 11 * COUNT);
        s30.intoArray(lanes, 12 * COUNT);
        s31.intoArray(lanes, 13 * COUNT);
        s32.intoArray(lanes, 14 * COUNT);
        s33.intoArray(lanes, 15 * COUNT);
        put(lanes, 4, 4, c, to, cStride, add);
        if (whole < k) {
            tail(a, p, aStride, 4, b, q, bStride, 4, whole, k, c, to, cStride);
        }
    }

    private static void tile4x1(
            MemorySegment a, long p, long aStride, MemorySegment b, long q, long bStride, int k, MemorySegment c, long to,
            long cStride, boolean add, float[] lanes) {
        FloatVector s00 = FloatVector.zero(F32);
        FloatVector s10 = FloatVector.zero(F32);
        FloatVector s20 = FloatVector.zero(F32);
        FloatVector s30 = FloatVector.zero(F32);
        int whole = Lanes.whole(k);
        for (int i = 0; i < whole; i += COUNT) {
            long at = 4L * i;
            FloatVector b0 = Lanes.load(b, q + at);
            FloatVector a0 = Lanes.load(a, p + at);
            s00 = a0.fma(b0, s00);
            FloatVector a1 = Lanes.load(a, p + aStride + at);
            s10 = a1.fma(b0, s10);
            FloatVector a2 = Lanes.load(a, p + 2 * aStride + at);
            s20 = a2.fma(b0, s20);
            FloatVector a3 = Lanes.load(a, p + 3 * aStride + at);
            s30 = a3.fma(b0, s30);
        }
        s00.intoArray(lanes, 0);
        s10.intoArray(lanes, COUNT);
        s20.intoArray(lanes, 2 * COUNT);
        s30.intoArray(lanes, 3 * COUNT);
        put(lanes, 4, 1, c, to, cStride, add);
        if (whole < k) {
            tail(a, p, aStride, 4, b, q, bStride, 1, whole, k, c, to, cStride);
        }
    }

    private static void tile1x4(
            MemorySegment a, long p, long aStride, MemorySegment b, long q, long bStride, int k, MemorySegment c, long to,
            long cStride, boolean add, float[] lanes) {
        FloatVector s00 = FloatVector.zero(F32);
        FloatVector s01 = FloatVector.zero(F32);
        FloatVector s02 = FloatVector.zero(F32);
        FloatVector s03 = FloatVector.zero(F32);
        int whole = Lanes.whole(k);
        for (int i = 0; i < whole; i += COUNT) {
            long at = 4L * i;
            FloatVector b0 = Lanes.load(b, q + at);
            FloatVector b1 = Lanes.load(b, q + bStride + at);
            FloatVector b2 = Lanes.load(b, q + 2 * bStride + at);
            FloatVector b3 = Lanes.load(b, q + 3 * bStride + at);
            FloatVector a0 = Lanes.load(a, p + at);
            s00 = a0.fma(b0, s00);
            s01 = a0.fma(b1, s01);
            s02 = a0.fma(b2, s02);
            s03 = a0.fma(b3, s03);
        }
        s00.intoArray(lanes, 0);
        s01.intoArray(lanes, COUNT);
        s02.intoArray(lanes, 2 * COUNT);
        s03.intoArray(lanes, 3 * COUNT);
        put(lanes, 1, 4, c, to, cStride, add);
        if (whole < k) {
            tail(a, p, aStride, 1, b, q, bStride, 4, whole, k, c, to, cStride);
        }
    }

    private static void tile1x1(
            MemorySegment a, long p, long aStride, MemorySegment b, long q, long bStride, int k, MemorySegment c, long to,
            long cStride, boolean add, float[] lanes) {
        FloatVector s00 = FloatVector.zero(F32);
        int whole = Lanes.whole(k);
        for (int i = 0; i < whole; i += COUNT) {
            long at = 4L * i;
            FloatVector b0 = Lanes.load(b, q + at);
            FloatVector a0 = Lanes.load(a, p + at);
            s00 = a0.fma(b0, s00);
        }
        s00.intoArray(lanes, 0);
        put(lanes, 1, 1, c, to, cStride, add);
        if (whole < k) {
            tail(a, p, aStride, 1, b, q, bStride, 1, whole, k, c, to, cStride);
        }
    }

    /** The sums of m by n accumulators left in {@code lanes}. */
    private static void put(float[] lanes, int m, int n, MemorySegment c, long to, long cStride, boolean add) {
        for (int i = 0; i < m; i++) {
            long row = to + i * cStride;
            for (int j = 0; j < n; j++) {
                put(c, row + 4L * j, Lanes.sum(lanes, (i * n + j) * COUNT), add);
            }
        }
    }

    private static void put(MemorySegment c, long at, float value, boolean add) {
        c.set(FLOAT, at, add ? c.get(FLOAT, at) + value : value);
    }

    /** The last elements along k, fewer than a vector. */
    private static void tail(
            MemorySegment a, long p, long aStride, int m, MemorySegment b, long q, long bStride, int n, int from, int k,
            MemorySegment c, long to, long cStride) {
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                float sum = 0;
                for (int x = from; x < k; x++) {
                    sum += a.get(FLOAT, p + i * aStride + 4L * x) * b.get(FLOAT, q + j * bStride + 4L * x);
                }
                put(c, to + i * cStride + 4L * j, sum, true);
            }
        }
    }
}
