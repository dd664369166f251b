package poot.core.quant;

/**
 * The K formats: 256 elements in sub-blocks whose scales (and minima) are themselves small integers under one binary16
 * scale {@code d} (and {@code dmin}).
 *
 * <p>Code order, where not stated otherwise: 32 bytes carry 32 consecutive elements per bit field, so element
 * 32<i>s</i>+<i>l</i> of such a stretch is field <i>s</i> (lowest first) of byte <i>l</i>.
 *
 * <table>
 * <caption>Layout: byte offset and length of each field, and the value of a code q in sub-block s</caption>
 * <tr><th>format (source)</th><th>fields</th><th>value</th></tr>
 * <tr><td>Q2_K (ggml block_q2_K)</td><td>scales 0, 16 (low nibble scale, high nibble minimum, one byte per 16
 *     elements); qs 16, 64; d 80, 2; dmin 82, 2</td><td>(d scale) q - dmin min</td></tr>
 * <tr><td>Q3_K (ggml block_q3_K)</td><td>hmask 0, 32 (bit s of byte l: third bit of element 32s+l); qs 32, 64;
 *     scales 96, 12 (see {@link #q3scale}); d 108, 2</td><td>(d (scale - 32)) (q - 4)</td></tr>
 * <tr><td>Q4_K (ggml block_q4_K)</td><td>d 0, 2; dmin 2, 2; scales 4, 12 (see {@link #scale}, {@link #min}, one per
 *     32 elements); qs 16, 128</td><td>(d scale) q - dmin min</td></tr>
 * <tr><td>Q5_K (ggml block_q5_K)</td><td>d 0, 2; dmin 2, 2; scales 4, 12; qh 16, 32 (bit s of byte l: fifth bit of
 *     element 32s+l); qs 48, 128</td><td>(d scale) q - dmin min</td></tr>
 * <tr><td>Q6_K (ggml block_q6_K)</td><td>ql 0, 128 (per 128 elements 64 bytes: low nibbles elements 0..63, high
 *     nibbles 64..127); qh 128, 64 (two bits, 32 bytes per 128 elements); scales 192, 16 (signed, one per 16
 *     elements); d 208, 2</td><td>(d scale) (q - 32)</td></tr>
 * </table>
 */
final class KBlocks {
    static void q2(byte[] block, int from, byte[] codes, int at) {
        for (int k = 0; k < 64; k += 8) {
            long word = Fields.i64(block, from + 16 + k);
            int to = at + 128 * (k >> 5) + (k & 31);
            for (int s = 0; s < 4; s++) {
                Fields.putLong(codes, to + 32 * s, word >>> 2 * s & Lanes.PAIR);
            }
        }
    }

    static void q2Scales(byte[] block, int from, float[] values, int at) {
        float d = Fields.half(block, from + 80);
        float dmin = Fields.half(block, from + 82);
        for (int s = 0; s < 16; s++) {
            int packed = block[from + s];
            Lanes.timesPlus(d * (packed & 15), -(dmin * (packed >> 4 & 15)), values, at + 16 * s, 16);
        }
    }

    static void q3(byte[] block, int from, byte[] codes, int at) {
        for (int k = 0; k < 64; k += 8) {
            long word = Fields.i64(block, from + 32 + k);
            long high = Fields.i64(block, from + (k & 31)) >>> 4 * (k >> 5);
            int to = at + 128 * (k >> 5) + (k & 31);
            for (int s = 0; s < 4; s++) {
                long code = word >>> 2 * s & Lanes.PAIR | (high >>> s & Lanes.BIT) << 2;
                Fields.putLong(codes, to + 32 * s, Lanes.less(code, 4));
            }
        }
    }

    static void q3Scales(byte[] block, int from, float[] values, int at) {
        float d = Fields.half(block, from + 108);
        for (int s = 0; s < 16; s++) {
            Lanes.times(d * (q3scale(block, from + 96, s) - 32), values, at + 16 * s, 16);
        }
    }

    static void q4(byte[] block, int from, byte[] codes, int at) {
        for (int s = 0; s < 4; s++) {
            Lanes.nibbles(block, from + 16 + 32 * s, 32, 0, codes, at + 64 * s);
        }
    }

    static void q5(byte[] block, int from, byte[] codes, int at) {
        for (int k = 0; k < 32; k += 8) {
            long high = Fields.i64(block, from + 16 + k);
            for (int s = 0; s < 8; s += 2) {
                long word = Fields.i64(block, from + 48 + 16 * s + k);
                int to = at + 32 * s + k;
                Fields.putLong(codes, to, word & Lanes.NIBBLE | (high >>> s & Lanes.BIT) << 4);
                Fields.putLong(codes, to + 32, word >>> 4 & Lanes.NIBBLE | (high >>> s + 1 & Lanes.BIT) << 4);
            }
        }
    }

    /** The scales and minima of Q4_K and Q5_K. */
    static void q4Scales(byte[] block, int from, float[] values, int at) {
        float d = Fields.half(block, from);
        float dmin = Fields.half(block, from + 2);
        for (int s = 0; s < 8; s++) {
            float min = dmin * min(block, from + 4, s);
            Lanes.timesPlus(d * scale(block, from + 4, s), -min, values, at + 32 * s, 32);
        }
    }

    static void q6(byte[] block, int from, byte[] codes, int at) {
        for (int k = 0; k < 64; k += 8) {
            int half = k >> 5;
            int ql = from + 32 * half + k;
            long low = Fields.i64(block, ql);
            long next = Fields.i64(block, ql + 32);
            long high = Fields.i64(block, from + 128 + k);
            int to = at + 128 * half + (k & 31);
            Fields.putLong(codes, to, six(low, high));
            Fields.putLong(codes, to + 32, six(next, high >>> 2));
            Fields.putLong(codes, to + 64, six(low >>> 4, high >>> 4));
            Fields.putLong(codes, to + 96, six(next >>> 4, high >>> 6));
        }
    }

    private static long six(long low, long high) {
        return Lanes.less(low & Lanes.NIBBLE | (high & Lanes.PAIR) << 4, 32);
    }

    static void q6Scales(byte[] block, int from, float[] values, int at) {
        float d = Fields.half(block, from + 208);
        for (int s = 0; s < 16; s++) {
            Lanes.times(d * block[from + 192 + s], values, at + 16 * s, 16);
        }
    }

    /**
     * The 6-bit scale of sub-block {@code s} of 8 in the 12 bytes of Q4_K and Q5_K: sub-blocks 0..3 in the low six
     * bits of bytes 0..3; of 4..7 the low nibble of bytes 8..11 and, above it, the top two bits of bytes 0..3.
     */
    static int scale(byte[] b, int scales, int s) {
        return s < 4 ? b[scales + s] & 63 : b[scales + 4 + s] & 15 | (b[scales + s - 4] >> 6 & 3) << 4;
    }

    /** The 6-bit minimum of sub-block {@code s}: as {@link #scale}, from bytes 4..7 and the high nibbles. */
    static int min(byte[] b, int scales, int s) {
        return s < 4 ? b[scales + 4 + s] & 63 : b[scales + 4 + s] >> 4 & 15 | (b[scales + s] >> 6 & 3) << 4;
    }

    /**
     * The 6-bit scale of sub-block {@code s} of 16 in the 12 bytes of Q3_K: the low four bits of 0..7 are the low
     * nibbles of bytes 0..7, of 8..15 the high nibbles; the upper two bits are field s/4 of byte 8 + s mod 4.
     */
    static int q3scale(byte[] b, int scales, int s) {
        int low = b[scales + (s & 7)] >> 4 * (s >> 3) & 15;
        int high = b[scales + 8 + (s & 3)] >> 2 * (s >> 2) & 3;
        return low | high << 4;
    }

    private KBlocks() {
    }
}
