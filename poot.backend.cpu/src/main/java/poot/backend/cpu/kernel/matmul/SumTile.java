package poot.backend.cpu.kernel.matmul;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.FLOAT;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import poot.backend.cpu.kernel.Lanes;

/**
 * c [m, n] = a [m, k] · b [k, n], or added to c, one thread, operands in cache. Rows of b run along n: a tile of four
 * rows by two vectors adds multiples of them. The tiles are written out because a vector in an array would live in
 * memory.
 */
public final class SumTile {
    private static final long WIDTH = 4L * COUNT;

    private SumTile() {}

    /** Strides and positions are in bytes. */
    public static void multiply(
            MemorySegment a, long aAt, long aStride, int m, MemorySegment b, long bAt, long bStride, int n, int k,
            MemorySegment c, long cAt, long cStride, boolean add) {
        int whole = n & -2 * COUNT;
        for (int j = 0; j < whole; j += 2 * COUNT) {
            int i = 0;
            for (; i + 4 <= m; i += 4) {
                tile4x2(a, aAt + i * aStride, aStride, b, bAt + 4L * j, bStride, k, c, cAt + i * cStride + 4L * j, cStride, add);
            }
            for (; i < m; i++) {
                tile1x2(a, aAt + i * aStride, aStride, b, bAt + 4L * j, bStride, k, c, cAt + i * cStride + 4L * j, cStride, add);
            }
        }
        if (whole < n) {
            for (int i = 0; i < m; i++) {
                tail(a, aAt + i * aStride, b, bAt, bStride, whole, n, k, c, cAt + i * cStride, add);
            }
        }
    }

    private static FloatVector start(MemorySegment c, long at, boolean add) {
        return add ? Lanes.load(c, at) : FloatVector.zero(F32);
    }

    private static void tile4x2(
            MemorySegment a, long p, long aStride, MemorySegment b, long q, long bStride, int k, MemorySegment c, long to,
            long cStride, boolean add) {
        FloatVector s00 = start(c, to, add);
        FloatVector s01 = start(c, to + WIDTH, add);
        FloatVector s10 = start(c, to + cStride, add);
        FloatVector s11 = start(c, to + cStride + WIDTH, add);
        FloatVector s20 = start(c, to + 2 * cStride, add);
        FloatVector s21 = start(c, to + 2 * cStride + WIDTH, add);
        FloatVector s30 = start(c, to + 3 * cStride, add);
        FloatVector s31 = start(c, to + 3 * cStride + WIDTH, add);
        for (int i = 0; i < k; i++) {
            FloatVector b0 = Lanes.load(b, q + i * bStride);
            FloatVector b1 = Lanes.load(b, q + i * bStride + WIDTH);
            FloatVector a0 = FloatVector.broadcast(F32, a.get(FLOAT, p + 4L * i));
            s00 = a0.fma(b0, s00);
            s01 = a0.fma(b1, s01);
            FloatVector a1 = FloatVector.broadcast(F32, a.get(FLOAT, p + aStride + 4L * i));
            s10 = a1.fma(b0, s10);
            s11 = a1.fma(b1, s11);
            FloatVector a2 = FloatVector.broadcast(F32, a.get(FLOAT, p + 2 * aStride + 4L * i));
            s20 = a2.fma(b0, s20);
            s21 = a2.fma(b1, s21);
            FloatVector a3 = FloatVector.broadcast(F32, a.get(FLOAT, p + 3 * aStride + 4L * i));
            s30 = a3.fma(b0, s30);
            s31 = a3.fma(b1, s31);
        }
        s00.intoMemorySegment(c, to, Lanes.LITTLE);
        s01.intoMemorySegment(c, to + WIDTH, Lanes.LITTLE);
        s10.intoMemorySegment(c, to + cStride, Lanes.LITTLE);
        s11.intoMemorySegment(c, to + cStride + WIDTH, Lanes.LITTLE);
        s20.intoMemorySegment(c, to + 2 * cStride, Lanes.LITTLE);
        s21.intoMemorySegment(c, to + 2 * cStride + WIDTH, Lanes.LITTLE);
        s30.intoMemorySegment(c, to + 3 * cStride, Lanes.LITTLE);
        s31.intoMemorySegment(c, to + 3 * cStride + WIDTH, Lanes.LITTLE);
    }

    private static void tile1x2(
            MemorySegment a, long p, long aStride, MemorySegment b, long q, long bStride, int k, MemorySegment c, long to,
            long cStride, boolean add) {
        FloatVector s00 = start(c, to, add);
        FloatVector s01 = start(c, to + WIDTH, add);
        for (int i = 0; i < k; i++) {
            FloatVector b0 = Lanes.load(b, q + i * bStride);
            FloatVector b1 = Lanes.load(b, q + i * bStride + WIDTH);
            FloatVector a0 = FloatVector.broadcast(F32, a.get(FLOAT, p + 4L * i));
            s00 = a0.fma(b0, s00);
            s01 = a0.fma(b1, s01);
        }
        s00.intoMemorySegment(c, to, Lanes.LITTLE);
        s01.intoMemorySegment(c, to + WIDTH, Lanes.LITTLE);
    }

    /** The last columns, fewer than two vectors. */
    private static void tail(
            MemorySegment a, long p, MemorySegment b, long q, long bStride, int from, int n, int k, MemorySegment c, long to,
            boolean add) {
        if (!add) {
            for (int j = from; j < n; j++) {
                c.set(FLOAT, to + 4L * j, 0f);
            }
        }
        for (int i = 0; i < k; i++) {
            float x = a.get(FLOAT, p + 4L * i);
            for (int j = from; j < n; j++) {
                long at = to + 4L * j;
                c.set(FLOAT, at, Math.fma(x, b.get(FLOAT, q + i * bStride + 4L * j), c.get(FLOAT, at)));
            }
        }
    }
}
