package poot.core.quant;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The E4M3 byte of the OCP 8-bit floating point specification (E4M3FN): a sign, four exponent bits biased by 7, three
 * of mantissa; no infinity, NaN is 0x7f and 0xff, the largest value 448, the smallest 2^-9.
 */
final class Fp8 {
    private static final int SCRATCH_BYTES = 4096;

    /** Every value by its byte. */
    static final float[] E4M3 = values();

    /** Decodes {@code count} bytes of {@code part} from {@code from} on, times {@code scale}. */
    static void decode(MemorySegment part, long from, int count, float scale, float[] out, int at) {
        byte[] scratch = new byte[Math.min(count, SCRATCH_BYTES)];
        for (int done = 0; done < count; done += scratch.length) {
            int now = Math.min(scratch.length, count - done);
            MemorySegment.copy(part, ValueLayout.JAVA_BYTE, from + done, scratch, 0, now);
            for (int i = 0; i < now; i++) {
                out[at + done + i] = E4M3[scratch[i] & 0xFF] * scale;
            }
        }
    }

    private static float[] values() {
        float[] values = new float[256];
        for (int i = 0; i < 256; i++) {
            int exponent = i >> 3 & 15;
            int mantissa = i & 7;
            float magnitude = exponent == 15 && mantissa == 7
                    ? Float.NaN
                    : exponent == 0 ? Math.scalb((float) mantissa, -9) : Math.scalb(8f + mantissa, exponent - 10);
            values[i] = (i & 0x80) != 0 ? -magnitude : magnitude;
        }
        return values;
    }

    private Fp8() {
    }
}
