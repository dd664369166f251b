package poot.backend.cpu.kernel.weight;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.LITTLE;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import poot.backend.cpu.kernel.Lanes;

/** Q8_0: 32 elements in 34 bytes, d (2), q signed (32); d q. */
final class BlockQ8 implements BlockKernel {
    @Override
    public float dot(byte[] w, int n, float[] x, int xAt, float[] sums, int sumsAt) {
        FloatVector acc = FloatVector.zero(F32);
        for (int b = 0; b < n / 32; b++) {
            int q = 34 * b;
            int p = xAt + 32 * b;
            FloatVector s = Lanes.floats(Lanes.bytes(w, q + 2)).mul(Lanes.load(x, p));
            for (int j = COUNT; j < 32; j += COUNT) {
                s = Lanes.floats(Lanes.bytes(w, q + 2 + j)).fma(Lanes.load(x, p + j), s);
            }
            acc = s.fma(FloatVector.broadcast(F32, Fields.half(w, q)), acc);
        }
        return Lanes.sum(acc);
    }

    @Override
    public void decode(byte[] w, int n, MemorySegment out, long to) {
        for (int b = 0; b < n / 32; b++) {
            int q = 34 * b;
            float d = Fields.half(w, q);
            for (int j = 0; j < 32; j += COUNT) {
                Lanes.floats(Lanes.bytes(w, q + 2 + j)).mul(d).intoMemorySegment(out, to + 4L * (32 * b + j), LITTLE);
            }
        }
    }
}
