package poot.backend.cpu.kernel.weight;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.LITTLE;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import poot.backend.cpu.kernel.Lanes;

/** Q4_K: 256 elements in 144 bytes, d (2), dmin (2), scales (12), codes (128): per 32 bytes 32 low then 32 high nibbles. */
final class BlockQ4K implements BlockKernel {
    @Override
    public void dots(byte[] w, int first, int second, int n, float[] x, int xAt, float[] lanes) {
        FloatVector a = FloatVector.zero(F32);
        FloatVector b = a;
        for (int block = 0; block < n / 256; block++) {
            int p = first + 144 * block;
            int q = second + 144 * block;
            float d = Fields.half(w, p);
            float dmin = Fields.half(w, p + 2);
            long scales = KScales.scales(w, p + 4);
            long minima = KScales.minima(w, p + 4);
            float e = Fields.half(w, q);
            float emin = Fields.half(w, q + 2);
            long others = KScales.scales(w, q + 4);
            long lows = KScales.minima(w, q + 4);
            for (int s = 0; s < 8; s += 2) {
                int at = 16 + 16 * s;
                int v = xAt + 256 * block + 32 * s;
                float d0 = d * KScales.at(scales, s);
                float m0 = dmin * KScales.at(minima, s);
                float e0 = e * KScales.at(others, s);
                float l0 = emin * KScales.at(lows, s);
                for (int j = 0; j < 32; j += COUNT) {
                    a = low(Lanes.codes(w, p + at + j), d0, m0).fma(Lanes.load(x, v + j), a);
                    b = low(Lanes.codes(w, q + at + j), e0, l0).fma(Lanes.load(x, v + j), b);
                }
                float d1 = d * KScales.at(scales, s + 1);
                float m1 = dmin * KScales.at(minima, s + 1);
                float e1 = e * KScales.at(others, s + 1);
                float l1 = emin * KScales.at(lows, s + 1);
                for (int j = 0; j < 32; j += COUNT) {
                    a = high(Lanes.codes(w, p + at + j), d1, m1).fma(Lanes.load(x, v + 32 + j), a);
                    b = high(Lanes.codes(w, q + at + j), e1, l1).fma(Lanes.load(x, v + 32 + j), b);
                }
            }
        }
        a.intoArray(lanes, 0);
        b.intoArray(lanes, COUNT);
    }

    /** c d - m: the product is exact. */
    private static FloatVector values(IntVector codes, float d, float m) {
        return Lanes.floats(codes).fma(FloatVector.broadcast(F32, d), FloatVector.broadcast(F32, -m));
    }

    private static FloatVector low(IntVector codes, float d, float m) {
        return values(codes.and(15), d, m);
    }

    private static FloatVector high(IntVector codes, float d, float m) {
        return values(codes.lanewise(VectorOperators.LSHR, 4), d, m);
    }

    @Override
    public void decode(byte[] w, int n, MemorySegment out, long to) {
        for (int b = 0; b < n / 256; b++) {
            block(w, 144 * b, out, to + 1024L * b);
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
                IntVector c = Lanes.codes(w, block + 16 + 16 * s + j);
                long p = to + 128L * s + 4 * j;
                low(c, d0, m0).intoMemorySegment(out, p, LITTLE);
                high(c, d1, m1).intoMemorySegment(out, p + 128, LITTLE);
            }
        }
    }
}
