package poot.backend.cpu.kernel.weight;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.LITTLE;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import poot.backend.cpu.kernel.Lanes;

/** Q4_0: 32 elements in 18 bytes, d (2), 16 bytes of codes, low nibbles first; d (q - 8). */
final class BlockQ4 implements BlockKernel {
    @Override
    public float dot(byte[] w, int n, float[] x, int xAt, float[] sums, int sumsAt) {
        FloatVector acc = FloatVector.zero(F32);
        float offset = 0;
        for (int b = 0; b < n / 32; b++) {
            int q = 18 * b;
            int p = xAt + 32 * b;
            float d = Fields.half(w, q);
            FloatVector s = FloatVector.zero(F32);
            for (int j = 0; j < 16; j += COUNT) {
                IntVector c = Lanes.codes(w, q + 2 + j);
                s = Lanes.floats(c.and(15)).fma(Lanes.load(x, p + j), s);
                s = Lanes.floats(c.lanewise(VectorOperators.LSHR, 4)).fma(Lanes.load(x, p + 16 + j), s);
            }
            acc = s.fma(FloatVector.broadcast(F32, d), acc);
            offset = Math.fma(d, sums[sumsAt + b], offset);
        }
        return Lanes.sum(acc) - 8 * offset;
    }

    @Override
    public void decode(byte[] w, int n, MemorySegment out, long to) {
        for (int b = 0; b < n / 32; b++) {
            int q = 18 * b;
            long p = to + 128L * b;
            float d = Fields.half(w, q);
            for (int j = 0; j < 16; j += COUNT) {
                IntVector c = Lanes.codes(w, q + 2 + j);
                Lanes.floats(c.and(15).sub(8)).mul(d).intoMemorySegment(out, p + 4 * j, LITTLE);
                Lanes.floats(c.lanewise(VectorOperators.LSHR, 4).sub(8)).mul(d).intoMemorySegment(out, p + 64 + 4 * j, LITTLE);
            }
        }
    }
}
