package poot.backend.cpu.kernel.pointwise;

import java.lang.foreign.MemorySegment;
import poot.backend.cpu.kernel.Lanes;

/** Conversion between F32 arrays and the 16-bit float types in memory. */
public final class Halves {
    private Halves() {}

    /** F16 to F32, exactly. */
    public static void widenF16(MemorySegment s, long from, float[] out, int at, int count) {
        for (int i = 0; i < count; i++) {
            out[at + i] = Float.float16ToFloat(s.get(Lanes.SHORT, from + 2L * i));
        }
    }

    /** BF16 to F32, exactly. */
    public static void widenBf16(MemorySegment s, long from, float[] out, int at, int count) {
        for (int i = 0; i < count; i++) {
            out[at + i] = Float.intBitsToFloat(s.get(Lanes.SHORT, from + 2L * i) << 16);
        }
    }

    /** F32 from {@code first} on to F16, to nearest even. */
    public static void narrowF16(float[] in, int first, MemorySegment s, long at, int count) {
        for (int i = 0; i < count; i++) {
            s.set(Lanes.SHORT, at + 2L * i, Float.floatToFloat16(in[first + i]));
        }
    }

    /** F32 from {@code first} on to BF16, to nearest even; NaN stays NaN. */
    public static void narrowBf16(float[] in, int first, MemorySegment s, long at, int count) {
        for (int i = 0; i < count; i++) {
            int bits = Float.floatToRawIntBits(in[first + i]);
            int rounded = bits + 0x7fff + (bits >>> 16 & 1);
            boolean nan = (bits & 0x7fffffff) > 0x7f800000;
            s.set(Lanes.SHORT, at + 2L * i, (short) ((nan ? bits | 0x00400000 : rounded) >>> 16));
        }
    }
}
