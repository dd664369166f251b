package poot.backend.cpu.kernel.weight;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.LITTLE;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import poot.backend.cpu.kernel.Lanes;

/**
 * Q6_K: 256 elements in 210 bytes, low nibbles (128), high bits (64), scales signed, one per 16 elements (16), d (2);
 * (d scale) (q - 32). Per 128 elements, 32 bytes of high bits serve four stretches of 32.
 */
final class BlockQ6K implements BlockKernel {
    @Override
    public void dots(byte[] w, int first, int second, int n, float[] x, int xAt, float[] lanes) {
        dot(w, first, n, x, xAt, lanes, 0);
        dot(w, second, n, x, xAt, lanes, COUNT);
    }

    /** One row: two at once would be more than the compiler inlines. */
    private static void dot(byte[] w, int first, int n, float[] x, int xAt, float[] lanes, int left) {
        FloatVector acc = FloatVector.zero(F32);
        for (int half = 0; half < n / 128; half++) {
            int block = first + 210 * (half >> 1);
            int ql = block + 64 * (half & 1);
            int qh = block + 128 + 32 * (half & 1);
            int scales = block + 192 + 8 * (half & 1);
            float d = Fields.half(w, block + 208);
            int p = xAt + 128 * half;
            for (int j = 0; j < 64; j += COUNT) {
                IntVector high = Lanes.codes(w, qh + (j & 31)).lanewise(VectorOperators.LSHR, j >> 5 << 1);
                FloatVector v = first(Lanes.codes(w, ql + j), high).mul(d * w[scales + j / 16]);
                acc = v.fma(Lanes.load(x, p + j), acc);
            }
            for (int j = 0; j < 64; j += COUNT) {
                IntVector high = Lanes.codes(w, qh + (j & 31)).lanewise(VectorOperators.LSHR, j >> 5 << 1);
                FloatVector v = third(Lanes.codes(w, ql + j), high).mul(d * w[scales + 4 + j / 16]);
                acc = v.fma(Lanes.load(x, p + 64 + j), acc);
            }
        }
        acc.intoArray(lanes, left);
    }

    private static FloatVector first(IntVector codes, IntVector high) {
        return Lanes.floats(codes.and(15).or(high.and(3).lanewise(VectorOperators.LSHL, 4)).sub(32));
    }

    private static FloatVector third(IntVector codes, IntVector high) {
        return Lanes.floats(codes.lanewise(VectorOperators.LSHR, 4).or(high.and(48)).sub(32));
    }

    @Override
    public void decode(byte[] w, int n, MemorySegment out, long to) {
        for (int half = 0; half < n / 128; half++) {
            int block = 210 * (half >> 1);
            stretches(w, block, half & 1, 0, out, to + 512L * half);
            stretches(w, block, half & 1, 1, out, to + 512L * half);
        }
    }

    private static void stretches(byte[] w, int block, int part, int odd, MemorySegment out, long to) {
        float d = Fields.half(w, block + 208);
        for (int j = 0; j < 32; j += COUNT) {
            IntVector codes = Lanes.codes(w, block + 64 * part + 32 * odd + j);
            IntVector high = Lanes.codes(w, block + 128 + 32 * part + j).lanewise(VectorOperators.LSHR, 2 * odd);
            long p = to + 128L * odd + 4 * j;
            int s = block + 192 + 8 * part + 2 * odd + j / 16;
            first(codes, high).mul(d * w[s]).intoMemorySegment(out, p, LITTLE);
            third(codes, high).mul(d * w[s + 4]).intoMemorySegment(out, p + 256, LITTLE);
        }
    }
}
