package poot.backend.cpu.kernel.weight;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.FLOAT;
import static poot.backend.cpu.kernel.Lanes.LITTLE;
import static poot.backend.cpu.kernel.Lanes.SHORT;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import poot.backend.cpu.kernel.Lanes;
import poot.backend.cpu.memory.Workspace;

/** 16-bit floats in memory to F32 in memory, exactly. */
public final class Dense {
    private Dense() {}

    /** {@link Lanes#COUNT} values of BF16. */
    static FloatVector brains(MemorySegment s, long at) {
        return Lanes.shorts(s, at).lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
    }

    /**
     * F16 to F32 by way of the worker's arrays: a plain loop over arrays becomes one conversion instruction a vector,
     * and before it is compiled it is not slow either.
     */
    public static void widenF16(MemorySegment s, long at, int n, MemorySegment out, long to, Workspace workspace, int worker) {
        float[] wide = workspace.wide(worker);
        for (int i = 0; i < n; i += Workspace.TILE) {
            int count = Math.min(Workspace.TILE, n - i);
            widen(s, at + 2L * i, workspace.halves(worker), wide, count);
            MemorySegment.copy(wide, 0, out, FLOAT, to + 4L * i, count);
        }
    }

    private static void widen(MemorySegment s, long at, short[] halves, float[] wide, int n) {
        MemorySegment.copy(s, SHORT, at, halves, 0, n);
        for (int i = 0; i < n; i++) {
            wide[i] = Float.float16ToFloat(halves[i]);
        }
    }

    /** BF16 to F32. */
    public static void widenBf16(MemorySegment s, long at, int n, MemorySegment out, long to) {
        int i = 0;
        if (Lanes.NARROW) {
            for (int end = Lanes.whole(n); i < end; i += COUNT) {
                brains(s, at + 2L * i).intoMemorySegment(out, to + 4L * i, LITTLE);
            }
        }
        for (; i < n; i++) {
            out.set(FLOAT, to + 4L * i, Float.intBitsToFloat(s.get(SHORT, at + 2L * i) << 16));
        }
    }

    /** Σ a · b over plain F32. */
    public static float dot(MemorySegment a, long at, MemorySegment b, long bAt, int n) {
        FloatVector s0 = FloatVector.zero(F32);
        FloatVector s1 = s0;
        FloatVector s2 = s0;
        FloatVector s3 = s0;
        int i = 0;
        for (int end = n & -4 * COUNT; i < end; i += 4 * COUNT) {
            long p = at + 4L * i;
            long q = bAt + 4L * i;
            s0 = Lanes.load(a, p).fma(Lanes.load(b, q), s0);
            s1 = Lanes.load(a, p + 4 * COUNT).fma(Lanes.load(b, q + 4 * COUNT), s1);
            s2 = Lanes.load(a, p + 8 * COUNT).fma(Lanes.load(b, q + 8 * COUNT), s2);
            s3 = Lanes.load(a, p + 12 * COUNT).fma(Lanes.load(b, q + 12 * COUNT), s3);
        }
        float sum = Lanes.sum(s0.add(s1).add(s2.add(s3)));
        for (; i < n; i++) {
            sum += a.get(FLOAT, at + 4L * i) * b.get(FLOAT, bAt + 4L * i);
        }
        return sum;
    }

    /** Σ w · x, w of F16. */
    static float dotF16(MemorySegment w, long at, MemorySegment x, long xAt, int n, Workspace workspace, int worker) {
        float[] wide = workspace.wide(worker);
        float sum = 0;
        for (int i = 0; i < n; i += Workspace.TILE) {
            int count = Math.min(Workspace.TILE, n - i);
            widen(w, at + 2L * i, workspace.halves(worker), wide, count);
            sum += DecodedRows.dot(wide, x, xAt + 4L * i, count);
        }
        return sum;
    }

    /** Σ w · x, w of BF16. */
    static float dotBf16(MemorySegment w, long at, MemorySegment x, long xAt, int n) {
        FloatVector s0 = FloatVector.zero(F32);
        FloatVector s1 = s0;
        int i = 0;
        if (Lanes.NARROW) {
            for (int end = n & -2 * COUNT; i < end; i += 2 * COUNT) {
                s0 = brains(w, at + 2L * i).fma(Lanes.load(x, xAt + 4L * i), s0);
                s1 = brains(w, at + 2L * (i + COUNT)).fma(Lanes.load(x, xAt + 4L * (i + COUNT)), s1);
            }
        }
        float sum = Lanes.sum(s0.add(s1));
        for (; i < n; i++) {
            sum += Float.intBitsToFloat(w.get(SHORT, at + 2L * i) << 16) * x.get(FLOAT, xAt + 4L * i);
        }
        return sum;
    }
}
