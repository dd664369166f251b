package poot.backend.cpu.kernel.weight;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.LITTLE;
import static poot.backend.cpu.kernel.Lanes.SHORT;

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
    public float dot(MemorySegment w, long at, int n, MemorySegment x, long xAt, MemorySegment sums, long sumsAt) {
        FloatVector acc = FloatVector.zero(F32);
        for (int b = 0; b < n / 256; b++) {
            long block = at + 210L * b;
            FloatVector s = half(w, block, block + 128, block + 192, x, xAt + 1024L * b, FloatVector.zero(F32));
            s = half(w, block + 64, block + 160, block + 200, x, xAt + 1024L * b + 512, s);
            acc = s.fma(FloatVector.broadcast(F32, Float.float16ToFloat(w.get(SHORT, block + 208))), acc);
        }
        return acc.reduceLanes(VectorOperators.ADD);
    }

    /** 128 elements: Σ scale · (q - 32) · x added to {@code from}. */
    private static FloatVector half(
            MemorySegment w, long ql, long qh, long scales, MemorySegment x, long p, FloatVector from) {
        FloatVector acc = from;
        for (int j = 0; j < 32; j += COUNT) {
            IntVector low = Lanes.codes(w, ql + j);
            IntVector next = Lanes.codes(w, ql + 32 + j);
            IntVector high = Lanes.codes(w, qh + j);
            long px = p + 4 * j;
            long s = scales + j / 16;
            acc = q0(low, high).mul(Lanes.load(x, px)).fma(scale(w, s), acc);
            acc = q1(next, high).mul(Lanes.load(x, px + 128)).fma(scale(w, s + 2), acc);
            acc = q2(low, high).mul(Lanes.load(x, px + 256)).fma(scale(w, s + 4), acc);
            acc = q3(next, high).mul(Lanes.load(x, px + 384)).fma(scale(w, s + 6), acc);
        }
        return acc;
    }

    private static FloatVector scale(MemorySegment w, long at) {
        return FloatVector.broadcast(F32, (float) w.get(Lanes.BYTE, at));
    }

    private static FloatVector q0(IntVector low, IntVector high) {
        return Lanes.floats(low.and(15).or(high.and(3).lanewise(VectorOperators.LSHL, 4)).sub(32));
    }

    private static FloatVector q1(IntVector next, IntVector high) {
        return Lanes.floats(next.and(15).or(high.and(12).lanewise(VectorOperators.LSHL, 2)).sub(32));
    }

    private static FloatVector q2(IntVector low, IntVector high) {
        return Lanes.floats(low.lanewise(VectorOperators.LSHR, 4).or(high.and(48)).sub(32));
    }

    private static FloatVector q3(IntVector next, IntVector high) {
        IntVector top = high.and(192).lanewise(VectorOperators.LSHR, 2);
        return Lanes.floats(next.lanewise(VectorOperators.LSHR, 4).or(top).sub(32));
    }

    @Override
    public void decode(MemorySegment w, long at, int n, MemorySegment out, long to) {
        for (int b = 0; b < n / 256; b++) {
            long block = at + 210L * b;
            float d = Float.float16ToFloat(w.get(SHORT, block + 208));
            half(w, block, block + 128, block + 192, d, out, to + 1024L * b);
            half(w, block + 64, block + 160, block + 200, d, out, to + 1024L * b + 512);
        }
    }

    private static void half(MemorySegment w, long ql, long qh, long scales, float d, MemorySegment out, long to) {
        for (int j = 0; j < 32; j += COUNT) {
            IntVector low = Lanes.codes(w, ql + j);
            IntVector next = Lanes.codes(w, ql + 32 + j);
            IntVector high = Lanes.codes(w, qh + j);
            long p = to + 4 * j;
            long s = scales + j / 16;
            q0(low, high).mul(d * w.get(Lanes.BYTE, s)).intoMemorySegment(out, p, LITTLE);
            q1(next, high).mul(d * w.get(Lanes.BYTE, s + 2)).intoMemorySegment(out, p + 128, LITTLE);
            q2(low, high).mul(d * w.get(Lanes.BYTE, s + 4)).intoMemorySegment(out, p + 256, LITTLE);
            q3(next, high).mul(d * w.get(Lanes.BYTE, s + 6)).intoMemorySegment(out, p + 384, LITTLE);
        }
    }

    @Override
    public boolean readsSums() {
        return false;
    }
}
