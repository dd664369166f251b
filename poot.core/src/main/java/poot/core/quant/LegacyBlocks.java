package poot.core.quant;

/**
 * The first GGML formats: 32 elements, one scale {@code d} and for some one offset {@code m}, both binary16.
 *
 * <p>Nibble order, here and wherever a block of 32 has 16 bytes of 4-bit codes: element <i>j</i> is the low nibble of
 * byte <i>j</i>, element 16+<i>j</i> its high nibble. {@code qh} holds the fifth bits, bit <i>i</i> for element
 * <i>i</i>.
 *
 * <table>
 * <caption>Layout: byte offset and length of each field, and the value of a code q</caption>
 * <tr><th>format (source)</th><th>d</th><th>m</th><th>qh</th><th>qs</th><th>value</th></tr>
 * <tr><td>Q4_0 (ggml block_q4_0)</td><td>0, 2</td><td></td><td></td><td>2, 16</td><td>d (q - 8)</td></tr>
 * <tr><td>Q4_1 (ggml block_q4_1)</td><td>0, 2</td><td>2, 2</td><td></td><td>4, 16</td><td>d q + m</td></tr>
 * <tr><td>Q5_0 (ggml block_q5_0)</td><td>0, 2</td><td></td><td>2, 4</td><td>6, 16</td><td>d (q - 16)</td></tr>
 * <tr><td>Q5_1 (ggml block_q5_1)</td><td>0, 2</td><td>2, 2</td><td>4, 4</td><td>8, 16</td><td>d q + m</td></tr>
 * <tr><td>Q8_0 (ggml block_q8_0)</td><td>0, 2</td><td></td><td></td><td>2, 32</td><td>d q, q signed</td></tr>
 * </table>
 */
final class LegacyBlocks {
    static void q4x0(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from);
        for (int j = 0; j < 16; j++) {
            int q = b[from + 2 + j];
            out[at + j] = ((q & 15) - 8) * d;
            out[at + 16 + j] = ((q >> 4 & 15) - 8) * d;
        }
    }

    static void q4x1(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from);
        float m = Fields.half(b, from + 2);
        for (int j = 0; j < 16; j++) {
            int q = b[from + 4 + j];
            out[at + j] = (q & 15) * d + m;
            out[at + 16 + j] = (q >> 4 & 15) * d + m;
        }
    }

    static void q5x0(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from);
        int high = Fields.i32(b, from + 2);
        for (int j = 0; j < 16; j++) {
            int q = b[from + 6 + j];
            out[at + j] = ((q & 15 | (high >>> j & 1) << 4) - 16) * d;
            out[at + 16 + j] = ((q >> 4 & 15 | (high >>> 16 + j & 1) << 4) - 16) * d;
        }
    }

    static void q5x1(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from);
        float m = Fields.half(b, from + 2);
        int high = Fields.i32(b, from + 4);
        for (int j = 0; j < 16; j++) {
            int q = b[from + 8 + j];
            out[at + j] = (q & 15 | (high >>> j & 1) << 4) * d + m;
            out[at + 16 + j] = (q >> 4 & 15 | (high >>> 16 + j & 1) << 4) * d + m;
        }
    }

    static void q8x0(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from);
        for (int j = 0; j < 32; j++) {
            out[at + j] = b[from + 2 + j] * d;
        }
    }

    private LegacyBlocks() {
    }
}
