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
    static void q2(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from + 80);
        float dmin = Fields.half(b, from + 82);
        for (int s = 0; s < 16; s++) {
            int packed = b[from + s];
            float scale = d * (packed & 15);
            float min = dmin * (packed >> 4 & 15);
            int qs = from + 16 + 32 * (s >> 3) + 16 * (s & 1);
            int shift = s & 6;
            for (int l = 0; l < 16; l++) {
                out[at + 16 * s + l] = scale * (b[qs + l] >> shift & 3) - min;
            }
        }
    }

    static void q3(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from + 108);
        for (int s = 0; s < 16; s++) {
            float scale = d * (q3scale(b, from + 96, s) - 32);
            int mask = from + 16 * (s & 1);
            int qs = mask + 32 + 32 * (s >> 3);
            int shift = s & 6;
            int bit = s >> 1;
            for (int l = 0; l < 16; l++) {
                out[at + 16 * s + l] = scale * ((b[qs + l] >> shift & 3 | (b[mask + l] >> bit & 1) << 2) - 4);
            }
        }
    }

    static void q4(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from);
        float dmin = Fields.half(b, from + 2);
        for (int s = 0; s < 8; s += 2) {
            float scale0 = d * scale(b, from + 4, s);
            float min0 = dmin * min(b, from + 4, s);
            float scale1 = d * scale(b, from + 4, s + 1);
            float min1 = dmin * min(b, from + 4, s + 1);
            int qs = from + 16 + 16 * s;
            int to = at + 32 * s;
            for (int l = 0; l < 32; l++) {
                int q = b[qs + l];
                out[to + l] = scale0 * (q & 15) - min0;
                out[to + 32 + l] = scale1 * (q >> 4 & 15) - min1;
            }
        }
    }

    static void q5(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from);
        float dmin = Fields.half(b, from + 2);
        int qh = from + 16;
        for (int s = 0; s < 8; s += 2) {
            float scale0 = d * scale(b, from + 4, s);
            float min0 = dmin * min(b, from + 4, s);
            float scale1 = d * scale(b, from + 4, s + 1);
            float min1 = dmin * min(b, from + 4, s + 1);
            int qs = from + 48 + 16 * s;
            int to = at + 32 * s;
            for (int l = 0; l < 32; l++) {
                int q = b[qs + l];
                int high = b[qh + l] >> s;
                out[to + l] = scale0 * (q & 15 | (high & 1) << 4) - min0;
                out[to + 32 + l] = scale1 * (q >> 4 & 15 | (high & 2) << 3) - min1;
            }
        }
    }

    static void q6(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from + 208);
        for (int part = 0; part < 4; part++) {
            int ql = from + 64 * (part >> 1) + 16 * (part & 1);
            int qh = from + 128 + 32 * (part >> 1) + 16 * (part & 1);
            int scales = from + 192 + 8 * (part >> 1) + (part & 1);
            int to = at + 128 * (part >> 1) + 16 * (part & 1);
            float scale0 = d * b[scales];
            float scale1 = d * b[scales + 2];
            float scale2 = d * b[scales + 4];
            float scale3 = d * b[scales + 6];
            for (int l = 0; l < 16; l++) {
                int low = b[ql + l];
                int next = b[ql + 32 + l];
                int high = b[qh + l];
                out[to + l] = scale0 * ((low & 15 | (high & 3) << 4) - 32);
                out[to + 32 + l] = scale1 * ((next & 15 | (high >> 2 & 3) << 4) - 32);
                out[to + 64 + l] = scale2 * ((low >> 4 & 15 | (high >> 4 & 3) << 4) - 32);
                out[to + 96 + l] = scale3 * ((next >> 4 & 15 | (high >> 6 & 3) << 4) - 32);
            }
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
