package poot.backend.cpu.kernel.weight;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.LITTLE;
import static poot.backend.cpu.kernel.Lanes.SHORT;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import poot.backend.cpu.kernel.Lanes;

/** Q8_0: 32 elements in 34 bytes, d (2), q signed (32); d q. */
final class BlockQ8 implements BlockKernel {
    @Override
    public float dot(MemorySegment w, long at, int n, MemorySegment x, long xAt, MemorySegment sums, long sumsAt) {
        return dot(w, at, n, x, xAt);
    }

    private static float dot(MemorySegment w, long at, int n, MemorySegment x, long xAt) {
        FloatVector acc = FloatVector.zero(F32);
        for (int b = 0; b < n / 32; b++) {
            long q = at + 34L * b;
            long p = xAt + 128L * b;
            float d = Float.float16ToFloat(w.get(SHORT, q));
            FloatVector s = Lanes.floats(Lanes.bytes(w, q + 2)).mul(Lanes.load(x, p));
            for (int j = COUNT; j < 32; j += COUNT) {
                s = Lanes.floats(Lanes.bytes(w, q + 2 + j)).fma(Lanes.load(x, p + 4 * j), s);
            }
            acc = s.fma(FloatVector.broadcast(F32, d), acc);
        }
        return acc.reduceLanes(VectorOperators.ADD);
    }

    @Override
    public void decode(MemorySegment w, long at, int n, MemorySegment out, long to) {
        for (int b = 0; b < n / 32; b++) {
            long q = at + 34L * b;
            float d = Float.float16ToFloat(w.get(SHORT, q));
            for (int j = 0; j < 32; j += COUNT) {
                Lanes.floats(Lanes.bytes(w, q + 2 + j)).mul(d).intoMemorySegment(out, to + 128L * b + 4 * j, LITTLE);
            }
        }
    }

    @Override
    public boolean readsSums() {
        return false;
    }
}
