package poot.core.quant;

/**
 * Formats whose 4-bit codes name one of 16 uneven values. Each group of codes is laid out as in {@link LegacyBlocks}:
 * the low nibbles of its bytes are the first half of its elements, the high nibbles the second.
 *
 * <ul>
 * <li>IQ4_NL (ggml block_iq4_nl), 32 elements: {@code d} binary16 at 0 (2 bytes), {@code qs} at 2 (16). Value
 *     {@code d LEVELS[q]}.</li>
 * <li>IQ4_XS (ggml block_iq4_xs), 256 elements: {@code d} binary16 at 0 (2); {@code scales_h} at 2 (2), two upper bits of
 *     each of eight 6-bit scales; {@code scales_l} at 4 (4), their lower nibbles, low first; {@code qs} at 8 (128), 16
 *     bytes per 32 elements. Value {@code d (scale - 32) LEVELS[q]}.</li>
 * <li>MXFP4 (ggml block_mxfp4; OCP Microscaling 1.0), 32 elements: {@code e} at 0 (1), a power of two biased by 127;
 *     {@code qs} at 1 (16), E2M1 codes. Exponent 255 is 2^128 here, as in ggml, not the NaN of the OCP text.</li>
 * <li>NVFP4 (ggml block_nvfp4), 64 elements: {@code d} at 0 (4), an unsigned E4M3 scale per 16 elements; {@code qs} at 4
 *     (32), 8 bytes per 16 elements, E2M1 codes. Scale 0x7f is 0, and bit 7 is ignored, as in ggml.</li>
 * </ul>
 */
final class TableBlocks {
    /** The levels of IQ4_NL and IQ4_XS. */
    private static final float[] LEVELS = {
        -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113
    };

    /** Twice the values of E2M1: integers, so that half the scale times them is exact. A negative zero reads as zero. */
    private static final float[] TWICE_E2M1 = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

    /** Half of each unsigned E4M3 scale by its byte. */
    private static final float[] HALF_UE4M3 = halfScales();

    static void iq4nl(byte[] b, int from, float[] out, int at) {
        codes(LEVELS, b, from + 2, 16, Fields.half(b, from), out, at);
    }

    static void iq4xs(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from);
        int high = Fields.u16(b, from + 2);
        int low = Fields.i32(b, from + 4);
        for (int s = 0; s < 8; s++) {
            int scale = low >> 4 * s & 15 | (high >> 2 * s & 3) << 4;
            codes(LEVELS, b, from + 8 + 16 * s, 16, d * (scale - 32), out, at + 32 * s);
        }
    }

    static void mxfp4(byte[] b, int from, float[] out, int at) {
        codes(TWICE_E2M1, b, from + 1, 16, halfPowerOfTwo(Fields.u8(b, from)), out, at);
    }

    static void nvfp4(byte[] b, int from, float[] out, int at) {
        for (int s = 0; s < 4; s++) {
            codes(TWICE_E2M1, b, from + 4 + 8 * s, 8, HALF_UE4M3[Fields.u8(b, from + s)], out, at + 16 * s);
        }
    }

    /** Decodes {@code bytes} bytes to twice as many elements. */
    private static void codes(float[] table, byte[] b, int from, int bytes, float scale, float[] out, int at) {
        for (int j = 0; j < bytes; j++) {
            int q = b[from + j];
            out[at + j] = scale * table[q & 15];
            out[at + bytes + j] = scale * table[q >> 4 & 15];
        }
    }

    /** 2^(e - 128), subnormal for e of 0 and 1. */
    private static float halfPowerOfTwo(int e) {
        return Float.intBitsToFloat(e < 2 ? 0x200000 << e : (e - 1) << 23);
    }

    private static float[] halfScales() {
        float[] half = new float[256];
        for (int i = 0; i < 256; i++) {
            int code = i & 0x7F;
            half[i] = i == 0x7F ? 0 : code >> 3 == 15 && (code & 7) == 7 ? 240 : Fp8.E4M3[code] / 2;
        }
        return half;
    }

    private TableBlocks() {
    }
}
