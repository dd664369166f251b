package poot.core.quant;

/**
 * Formats whose 4-bit codes name one of 16 uneven values. Each group of codes is laid out as in {@link LegacyBlocks}:
 * the low nibbles of its bytes are the first half of its elements, the high nibbles the second.
 *
 * <ul>
 * <li>IQ4_NL (ggml block_iq4_nl), 32 elements: {@code d} binary16 at 0 (2 bytes), {@code qs} at 2 (16). Value
 *     {@code d LEVELS[q]}.</li>
 * <li>IQ4_XS (ggml block_iq4_xs), 256 elements: {@code d} binary16 at 0 (2); {@code scales_h} at 2 (2), two upper
 *     bits of each of eight 6-bit scales; {@code scales_l} at 4 (4), their lower nibbles, low first; {@code qs} at 8
 *     (128), 16 bytes per 32 elements. Value {@code d (scale - 32) LEVELS[q]}.</li>
 * <li>MXFP4 (ggml block_mxfp4; OCP Microscaling 1.0), 32 elements: {@code e} at 0 (1), a power of two biased by 127;
 *     {@code qs} at 1 (16), E2M1 codes. Exponent 255 is 2^128 here, as in ggml, not the NaN of the OCP text.</li>
 * <li>NVFP4 (ggml block_nvfp4), 64 elements: {@code d} at 0 (4), an unsigned E4M3 scale per 16 elements; {@code qs} at
 *     4 (32), 8 bytes per 16 elements, E2M1 codes. Scale 0x7f is 0, and bit 7 is ignored, as in ggml.</li>
 * </ul>
 */
final class TableBlocks {
    /** The levels of IQ4_NL and IQ4_XS, for {@link #look}. */
    private static final long[] LEVELS = byByte(
            -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113);

    /** Twice the values of E2M1: integers, so that half the scale times them is exact. Negative zero reads as zero. */
    private static final long[] TWICE_E2M1 = byByte(0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12);

    /** Half of each unsigned E4M3 scale by its byte. */
    private static final float[] HALF_UE4M3 = halfScales();

    static void iq4nl(byte[] block, int from, byte[] codes, int at) {
        look(LEVELS, block, from + 2, 16, codes, at);
    }

    static void iq4xs(byte[] block, int from, byte[] codes, int at) {
        for (int s = 0; s < 8; s++) {
            look(LEVELS, block, from + 8 + 16 * s, 16, codes, at + 32 * s);
        }
    }

    static void iq4xsScales(byte[] block, int from, float[] values, int at) {
        float d = Fields.half(block, from);
        int high = Fields.u16(block, from + 2);
        int low = Fields.i32(block, from + 4);
        for (int s = 0; s < 8; s++) {
            int scale = low >> 4 * s & 15 | (high >> 2 * s & 3) << 4;
            Lanes.times(d * (scale - 32), values, at + 32 * s, 32);
        }
    }

    static void mxfp4(byte[] block, int from, byte[] codes, int at) {
        look(TWICE_E2M1, block, from + 1, 16, codes, at);
    }

    static void mxfp4Scale(byte[] block, int from, float[] values, int at) {
        Lanes.times(halfPowerOfTwo(Fields.u8(block, from)), values, at, 32);
    }

    static void nvfp4(byte[] block, int from, byte[] codes, int at) {
        for (int s = 0; s < 4; s++) {
            look(TWICE_E2M1, block, from + 4 + 8 * s, 8, codes, at + 16 * s);
        }
    }

    static void nvfp4Scales(byte[] block, int from, float[] values, int at) {
        for (int s = 0; s < 4; s++) {
            Lanes.times(HALF_UE4M3[Fields.u8(block, from + s)], values, at + 16 * s, 16);
        }
    }

    /** The 16 levels of IQ4_NL and IQ4_XS by their code. */
    static int[] levels() {
        return byNibble(LEVELS);
    }

    /** Twice the 16 values of E2M1 by their code. */
    static int[] twiceE2m1() {
        return byNibble(TWICE_E2M1);
    }

    private static int[] byNibble(long[] table) {
        int[] out = new int[16];
        for (int i = 0; i < 16; i++) {
            out[i] = (byte) table[i];
        }
        return out;
    }

    /** Looks up the low nibbles of {@code bytes} bytes, then their high nibbles, four of each at a time. */
    private static void look(long[] table, byte[] block, int from, int bytes, byte[] codes, int at) {
        for (int j = 0; j < bytes; j += 4) {
            int word = Fields.i32(block, from + j);
            long both = table[word & 0xFF] | table[word >>> 8 & 0xFF] << 8 | table[word >>> 16 & 0xFF] << 16
                    | table[word >>> 24] << 24;
            Fields.putInt(codes, at + j, (int) both);
            Fields.putInt(codes, at + bytes + j, (int) (both >>> 32));
        }
    }

    /** For every byte the level of its low nibble in byte 0 of a word, and that of its high nibble in byte 4. */
    private static long[] byByte(int... levels) {
        long[] table = new long[256];
        for (int i = 0; i < 256; i++) {
            table[i] = levels[i & 15] & 0xFFL | (levels[i >> 4] & 0xFFL) << 32;
        }
        return table;
    }

    /** 2^(e - 128), subnormal for e of 0 and 1. */
    static float halfPowerOfTwo(int e) {
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
