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
    static void q4x0(byte[] block, int from, byte[] codes, int at) {
        Lanes.nibbles(block, from + 2, 16, 8, codes, at);
    }

    static void q4x1(byte[] block, int from, byte[] codes, int at) {
        Lanes.nibbles(block, from + 4, 16, 0, codes, at);
    }

    static void q5x0(byte[] block, int from, byte[] codes, int at) {
        five(block, from + 2, 16, codes, at);
    }

    static void q5x1(byte[] block, int from, byte[] codes, int at) {
        five(block, from + 4, 0, codes, at);
    }

    static void q8x0(byte[] block, int from, byte[] codes, int at) {
        for (int k = 0; k < 32; k += 8) {
            Fields.putLong(codes, at + k, Fields.i64(block, from + 2 + k));
        }
    }

    /** {@code d} at 0: of Q4_0, Q5_0 and Q8_0. */
    static void scale(byte[] block, int from, float[] values, int at) {
        Lanes.times(Fields.half(block, from), values, at, 32);
    }

    /** {@code d} at 0 and {@code m} at 2: of Q4_1 and Q5_1. */
    static void scaleAndOffset(byte[] block, int from, float[] values, int at) {
        Lanes.timesPlus(Fields.half(block, from), Fields.half(block, from + 2), values, at, 32);
    }

    private static void five(byte[] block, int qh, int bias, byte[] codes, int at) {
        int high = Fields.i32(block, qh);
        for (int k = 0; k < 16; k += 8) {
            long word = Fields.i64(block, qh + 4 + k);
            long first = word & Lanes.NIBBLE | Lanes.bits(high >>> k) << 4;
            long second = word >>> 4 & Lanes.NIBBLE | Lanes.bits(high >>> 16 + k) << 4;
            Fields.putLong(codes, at + k, Lanes.less(first, bias));
            Fields.putLong(codes, at + 16 + k, Lanes.less(second, bias));
        }
    }

    private LegacyBlocks() {
    }
}
