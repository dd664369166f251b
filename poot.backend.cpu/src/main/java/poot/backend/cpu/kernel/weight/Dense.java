package poot.backend.cpu.kernel.weight;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.FLOAT;
import static poot.backend.cpu.kernel.Lanes.LITTLE;
import static poot.backend.cpu.kernel.Lanes.SHORT;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import poot.backend.cpu.kernel.Lanes;
import poot.backend.cpu.memory.Workspace;

/** 16-bit floats in memory to F32, exactly. */
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
            widenF16(s, at + 2L * i, workspace.halves(worker), wide, 0, count);
            MemorySegment.copy(wide, 0, out, FLOAT, to + 4L * i, count);
        }
    }

    /** At most as many as {@code halves} holds, to an array. */
    static void widenF16(MemorySegment s, long at, short[] halves, float[] wide, int first, int n) {
        MemorySegment.copy(s, SHORT, at, halves, 0, n);
        for (int i = 0; i < n; i++) {
            wide[first + i] = Float.float16ToFloat(halves[i]);
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
            out.set(FLOAT, to + 4L * i, brain(s, at + 2L * i));
        }
    }

    /** One value of BF16. */
    static float brain(MemorySegment s, long at) {
        return Float.intBitsToFloat(s.get(SHORT, at) << 16);
    }
}
