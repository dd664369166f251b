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
    public void dots(byte[] w, int first, int second, int n, float[] x, int xAt, float[] lanes) {
        if (COUNT == 16) {
            one(w, first, n, x, xAt).intoArray(lanes, 0);
            one(w, second, n, x, xAt).intoArray(lanes, COUNT);
        } else {
            two(w, first, second, n, x, xAt, lanes);
        }
    }

    /** One row: of vectors of sixteen lanes, two rows at once are more than C2 inlines. */
    private static FloatVector one(byte[] w, int first, int n, float[] x, int xAt) {
        FloatVector a = FloatVector.zero(F32);
        for (int block = 0; block < n / 32; block++) {
            int at = first + 18 * block;
            float d = Fields.half(w, at);
            IntVector codes = Lanes.codes(w, at + 2);
            a = low(codes, d).fma(Lanes.load(x, xAt + 32 * block), a);
            a = high(codes, d).fma(Lanes.load(x, xAt + 32 * block + 16), a);
        }
        return a;
    }

    private static void two(byte[] w, int first, int second, int n, float[] x, int xAt, float[] lanes) {
        FloatVector a = FloatVector.zero(F32);
        FloatVector b = a;
        for (int block = 0; block < n / 32; block++) {
            int at = 18 * block;
            float d = Fields.half(w, first + at);
            float e = Fields.half(w, second + at);
            for (int j = 0; j < 16; j += COUNT) {
                FloatVector v = Lanes.load(x, xAt + 32 * block + j);
                a = low(Lanes.codes(w, first + at + 2 + j), d).fma(v, a);
                b = low(Lanes.codes(w, second + at + 2 + j), e).fma(v, b);
            }
            for (int j = 0; j < 16; j += COUNT) {
                FloatVector v = Lanes.load(x, xAt + 32 * block + 16 + j);
                a = high(Lanes.codes(w, first + at + 2 + j), d).fma(v, a);
                b = high(Lanes.codes(w, second + at + 2 + j), e).fma(v, b);
            }
        }
        a.intoArray(lanes, 0);
        b.intoArray(lanes, COUNT);
    }

    private static FloatVector low(IntVector codes, float d) {
        return values(codes.and(15), d);
    }

    private static FloatVector high(IntVector codes, float d) {
        return values(codes.lanewise(VectorOperators.LSHR, 4), d);
    }

    /** d q - 8 d: both products are exact. */
    private static FloatVector values(IntVector codes, float d) {
        return Lanes.floats(codes).fma(FloatVector.broadcast(F32, d), FloatVector.broadcast(F32, -8 * d));
    }

    @Override
    public void decode(byte[] w, int n, MemorySegment out, long to) {
        for (int b = 0; b < n / 32; b++) {
            int q = 18 * b;
            long p = to + 128L * b;
            float d = Fields.half(w, q);
            for (int j = 0; j < 16; j += COUNT) {
                IntVector c = Lanes.codes(w, q + 2 + j);
                low(c, d).intoMemorySegment(out, p + 4 * j, LITTLE);
                high(c, d).intoMemorySegment(out, p + 64 + 4 * j, LITTLE);
            }
        }
    }
}
