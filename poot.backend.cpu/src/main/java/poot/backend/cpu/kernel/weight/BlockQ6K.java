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
    public float dot(byte[] w, int n, float[] x, int xAt, float[] sums, int sumsAt) {
        return stretches(w, n, x, xAt, 0) + stretches(w, n, x, xAt, 1);
    }

    /**
     * The first and third stretch of every 128 elements ({@code odd} 0) or the second and fourth (1). A loop over all
     * four would be more than the compiler inlines.
     */
    private static float stretches(byte[] w, int n, float[] x, int xAt, int odd) {
        FloatVector acc = FloatVector.zero(F32);
        for (int half = 0; half < n / 128; half++) {
            int block = 210 * (half >> 1);
            int ql = block + 64 * (half & 1) + 32 * odd;
            int qh = block + 128 + 32 * (half & 1);
            int scales = block + 192 + 8 * (half & 1) + 2 * odd;
            float d = Fields.half(w, block + 208);
            for (int j = 0; j < 32; j += COUNT) {
                IntVector codes = Lanes.codes(w, ql + j);
                IntVector high = Lanes.codes(w, qh + j).lanewise(VectorOperators.LSHR, 2 * odd);
                int p = xAt + 128 * half + 32 * odd + j;
                int s = scales + j / 16;
                acc = first(codes, high).mul(Lanes.load(x, p)).fma(FloatVector.broadcast(F32, d * w[s]), acc);
                acc = third(codes, high).mul(Lanes.load(x, p + 64)).fma(FloatVector.broadcast(F32, d * w[s + 4]), acc);
            }
        }
        return Lanes.sum(acc);
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
