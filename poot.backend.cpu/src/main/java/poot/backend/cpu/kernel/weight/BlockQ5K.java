package poot.backend.cpu.kernel.weight;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.LITTLE;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import poot.backend.cpu.kernel.Lanes;

/** Q5_K: 256 elements in 176 bytes, as Q4_K with a fifth bit: d (2), dmin (2), scales (12), high bits (32), codes (128). */
final class BlockQ5K implements BlockKernel {
    @Override
    public void dots(byte[] w, int first, int second, int n, float[] x, int xAt, float[] lanes) {
        dot(w, first, n, x, xAt, lanes, 0);
        dot(w, second, n, x, xAt, lanes, COUNT);
    }

    /** One row: two at once would be more than the compiler inlines. */
    private static void dot(byte[] w, int first, int n, float[] x, int xAt, float[] lanes, int left) {
        FloatVector acc = FloatVector.zero(F32);
        for (int b = 0; b < n / 256; b++) {
            int block = first + 176 * b;
            float d = Fields.half(w, block);
            float dmin = Fields.half(w, block + 2);
            long scales = KScales.scales(w, block + 4);
            long minima = KScales.minima(w, block + 4);
            for (int s = 0; s < 8; s += 2) {
                int at = block + 48 + 16 * s;
                int p = xAt + 256 * b + 32 * s;
                float d0 = d * KScales.at(scales, s);
                float m0 = dmin * KScales.at(minima, s);
                for (int j = 0; j < 32; j += COUNT) {
                    IntVector h = Lanes.codes(w, block + 16 + j).lanewise(VectorOperators.LSHR, s);
                    acc = values(low(Lanes.codes(w, at + j), h), d0, m0).fma(Lanes.load(x, p + j), acc);
                }
                float d1 = d * KScales.at(scales, s + 1);
                float m1 = dmin * KScales.at(minima, s + 1);
                for (int j = 0; j < 32; j += COUNT) {
                    IntVector h = Lanes.codes(w, block + 16 + j).lanewise(VectorOperators.LSHR, s);
                    acc = values(high(Lanes.codes(w, at + j), h), d1, m1).fma(Lanes.load(x, p + 32 + j), acc);
                }
            }
        }
        acc.intoArray(lanes, left);
    }

    /** c d - m: the product is exact. */
    private static FloatVector values(IntVector codes, float d, float m) {
        return Lanes.floats(codes).fma(FloatVector.broadcast(F32, d), FloatVector.broadcast(F32, -m));
    }

    private static IntVector low(IntVector codes, IntVector bits) {
        return codes.and(15).or(bits.and(1).lanewise(VectorOperators.LSHL, 4));
    }

    private static IntVector high(IntVector codes, IntVector bits) {
        return codes.lanewise(VectorOperators.LSHR, 4).or(bits.and(2).lanewise(VectorOperators.LSHL, 3));
    }

    @Override
    public void decode(byte[] w, int n, MemorySegment out, long to) {
        for (int b = 0; b < n / 256; b++) {
            block(w, 176 * b, out, to + 1024L * b);
        }
    }

    private static void block(byte[] w, int block, MemorySegment out, long to) {
        float d = Fields.half(w, block);
        float dmin = Fields.half(w, block + 2);
        long scales = KScales.scales(w, block + 4);
        long minima = KScales.minima(w, block + 4);
        for (int s = 0; s < 8; s += 2) {
            float d0 = d * KScales.at(scales, s);
            float m0 = dmin * KScales.at(minima, s);
            float d1 = d * KScales.at(scales, s + 1);
            float m1 = dmin * KScales.at(minima, s + 1);
            for (int j = 0; j < 32; j += COUNT) {
                IntVector c = Lanes.codes(w, block + 48 + 16 * s + j);
                IntVector h = Lanes.codes(w, block + 16 + j).lanewise(VectorOperators.LSHR, s);
                long p = to + 128L * s + 4 * j;
                values(low(c, h), d0, m0).intoMemorySegment(out, p, LITTLE);
                values(high(c, h), d1, m1).intoMemorySegment(out, p + 128, LITTLE);
            }
        }
    }
}
