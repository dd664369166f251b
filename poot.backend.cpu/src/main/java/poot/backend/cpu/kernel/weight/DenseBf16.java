package poot.backend.cpu.kernel.weight;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.FLOAT;
import static poot.backend.cpu.kernel.Lanes.SHORT;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import poot.backend.cpu.kernel.Lanes;

/** The upper half of a binary32: 2 bytes an element. */
final class DenseBf16 implements BlockKernel {
    @Override
    public float dot(MemorySegment w, long at, int n, MemorySegment x, long xAt, MemorySegment sums, long sumsAt) {
        return dot(w, at, n, x, xAt);
    }

    private static float dot(MemorySegment w, long at, int n, MemorySegment x, long xAt) {
        FloatVector s0 = FloatVector.zero(F32);
        FloatVector s1 = s0;
        int i = 0;
        for (int end = n & -2 * COUNT; i < end; i += 2 * COUNT) {
            s0 = Dense.brains(w, at + 2L * i).fma(Lanes.load(x, xAt + 4L * i), s0);
            s1 = Dense.brains(w, at + 2L * (i + COUNT)).fma(Lanes.load(x, xAt + 4L * (i + COUNT)), s1);
        }
        float sum = s0.add(s1).reduceLanes(VectorOperators.ADD);
        for (; i < n; i++) {
            sum += Float.intBitsToFloat(w.get(SHORT, at + 2L * i) << 16) * x.get(FLOAT, xAt + 4L * i);
        }
        return sum;
    }

    @Override
    public void decode(MemorySegment w, long at, int n, MemorySegment out, long to) {
        Dense.widenBf16(w, at, n, out, to);
    }

    @Override
    public boolean readsSums() {
        return false;
    }
}
