package poot.backend.cpu.kernel.weight;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.FLOAT;
import static poot.backend.cpu.kernel.Lanes.LITTLE;
import static poot.backend.cpu.kernel.Lanes.SHORT;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import poot.backend.cpu.kernel.Lanes;

/** Q4_K: 256 elements in 144 bytes, d (2), dmin (2), scales (12), codes (128): per 32 bytes 32 low then 32 high nibbles. */
final class BlockQ4K implements BlockKernel {
    @Override
    public float dot(MemorySegment w, long at, int n, MemorySegment x, long xAt, MemorySegment sums, long sumsAt) {
        FloatVector acc = FloatVector.zero(F32);
        float minima = 0;
        for (int b = 0; b < n / 256; b++) {
            long block = at + 144L * b;
            acc = block(w, block, x, xAt + 1024L * b, acc);
            minima += minima(w, block, sums, sumsAt + 32L * b);
        }
        return acc.reduceLanes(VectorOperators.ADD) - minima;
    }

    private static FloatVector block(MemorySegment w, long block, MemorySegment x, long p, FloatVector from) {
        FloatVector acc = from;
        float d = Float.float16ToFloat(w.get(SHORT, block));
        long scales = KScales.scales(w, block + 4);
        for (int s = 0; s < 8; s += 2) {
            FloatVector low = FloatVector.zero(F32);
            FloatVector high = low;
            for (int j = 0; j < 32; j += COUNT) {
                IntVector c = Lanes.codes(w, block + 16 + 16 * s + j);
                long px = p + 128L * s + 4 * j;
                low = Lanes.floats(c.and(15)).fma(Lanes.load(x, px), low);
                high = Lanes.floats(c.lanewise(VectorOperators.LSHR, 4)).fma(Lanes.load(x, px + 128), high);
            }
            acc = low.fma(FloatVector.broadcast(F32, d * KScales.at(scales, s)), acc);
            acc = high.fma(FloatVector.broadcast(F32, d * KScales.at(scales, s + 1)), acc);
        }
        return acc;
    }

    /** dmin · Σ min · (sum of the sub-block's x). */
    static float minima(MemorySegment w, long block, MemorySegment sums, long at) {
        long minima = KScales.minima(w, block + 4);
        float even = 0;
        float odd = 0;
        for (int s = 0; s < 8; s += 2) {
            even = Math.fma(KScales.at(minima, s), sums.get(FLOAT, at + 4 * s), even);
            odd = Math.fma(KScales.at(minima, s + 1), sums.get(FLOAT, at + 4 * s + 4), odd);
        }
        return Float.float16ToFloat(w.get(SHORT, block + 2)) * (even + odd);
    }

    @Override
    public void decode(MemorySegment w, long at, int n, MemorySegment out, long to) {
        for (int b = 0; b < n / 256; b++) {
            block(w, at + 144L * b, out, to + 1024L * b);
        }
    }

    private static void block(MemorySegment w, long block, MemorySegment out, long to) {
        float d = Float.float16ToFloat(w.get(SHORT, block));
        float dmin = Float.float16ToFloat(w.get(SHORT, block + 2));
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
                Lanes.floats(c.and(15)).mul(d0).sub(m0).intoMemorySegment(out, p, LITTLE);
                Lanes.floats(c.lanewise(VectorOperators.LSHR, 4)).mul(d1).sub(m1).intoMemorySegment(out, p + 128, LITTLE);
            }
        }
    }

    @Override
    public boolean readsSums() {
        return true;
    }
}
