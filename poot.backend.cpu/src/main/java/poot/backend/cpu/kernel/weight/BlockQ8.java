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
    public void dots(byte[] w, int first, int second, int n, float[] x, int xAt, float[] lanes) {
        FloatVector a = FloatVector.zero(F32);
        FloatVector b = a;
        for (int block = 0; block < n / 32; block++) {
            int at = 34 * block;
            float d = Fields.half(w, first + at);
            float e = Fields.half(w, second + at);
            for (int j = 0; j < 32; j += COUNT) {
                FloatVector v = Lanes.load(x, xAt + 32 * block + j);
                a = values(w, first + at + 2 + j, d).fma(v, a);
                b = values(w, second + at + 2 + j, e).fma(v, b);
            }
        }
        a.intoArray(lanes, 0);
        b.intoArray(lanes, COUNT);
    }

    private static FloatVector values(byte[] w, int at, float d) {
        return Lanes.floats(Lanes.bytes(w, at)).mul(d);
    }

    @Override
    public void decode(byte[] w, int n, MemorySegment out, long to) {
        for (int b = 0; b < n / 32; b++) {
            int q = 34 * b;
            float d = Fields.half(w, q);
            for (int j = 0; j < 32; j += COUNT) {
                values(w, q + 2 + j, d).intoMemorySegment(out, to + 4L * (32 * b + j), LITTLE);
            }
        }
    }
}
