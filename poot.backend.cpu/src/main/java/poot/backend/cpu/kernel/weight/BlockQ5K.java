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
    public float dot(byte[] w, int n, float[] x, int xAt, float[] sums, int sumsAt) {
        FloatVector acc = FloatVector.zero(F32);
        float minima = 0;
        for (int b = 0; b < n / 256; b++) {
            int block = 176 * b;
            float d = Fields.half(w, block);
            long scales = KScales.scales(w, block + 4);
            for (int s = 0; s < 8; s += 2) {
                FloatVector low = FloatVector.zero(F32);
                FloatVector high = low;
                for (int j = 0; j < 32; j += COUNT) {
                    IntVector c = Lanes.codes(w, block + 48 + 16 * s + j);
                    IntVector h = Lanes.codes(w, block + 16 + j).lanewise(VectorOperators.LSHR, s);
                    int p = xAt + 256 * b + 32 * s + j;
                    low = Lanes.floats(low(c, h)).fma(Lanes.load(x, p), low);
                    high = Lanes.floats(high(c, h)).fma(Lanes.load(x, p + 32), high);
                }
                acc = low.fma(FloatVector.broadcast(F32, d * KScales.at(scales, s)), acc);
                acc = high.fma(FloatVector.broadcast(F32, d * KScales.at(scales, s + 1)), acc);
            }
            minima = Math.fma(Fields.half(w, block + 2), KScales.minima(w, block + 4, sums, sumsAt + 8 * b), minima);
        }
        return Lanes.sum(acc) - minima;
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
                Lanes.floats(low(c, h)).mul(d0).sub(m0).intoMemorySegment(out, p, LITTLE);
                Lanes.floats(high(c, h)).mul(d1).sub(m1).intoMemorySegment(out, p + 128, LITTLE);
            }
        }
    }
}
