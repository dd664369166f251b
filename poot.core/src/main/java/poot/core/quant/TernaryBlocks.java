package poot.core.quant;

/**
 * Formats of one or two bits with a single binary16 scale {@code d} per block.
 *
 * <ul>
 * <li>Q1_0 (ggml block_q1_0), 128 elements: {@code d} at 0 (2 bytes), {@code qs} at 2 (16 bytes), element <i>j</i> is
 *     bit <i>j</i> mod 8 of byte <i>j</i>/8: 1 is {@code d}, 0 is {@code -d}.</li>
 * <li>Q2_0 (ggml block_q2_0), 64 elements: {@code d} at 0 (2), {@code qs} at 2 (16), four codes a byte, lowest first:
 *     {@code d (q - 1)}.</li>
 * <li>TQ2_0 (ggml block_tq2_0), 256 elements: {@code qs} at 0 (64), {@code d} at 64 (2). Each 32 bytes hold 128
 *     elements: element 32<i>l</i>+<i>m</i> is bits 2<i>l</i>, 2<i>l</i>+1 of byte <i>m</i>: {@code d (q - 1)}.</li>
 * <li>TQ1_0 (ggml block_tq1_0), 256 elements: {@code qs} at 0 (48), {@code qh} at 48 (4), {@code d} at 52 (2). A byte
 *     is a fraction of 256 whose base-3 digits, first digit first, are up to five codes: {@code d (q - 1)}. Bytes
 *     0..31 hold elements 0..159, bytes 32..47 elements 160..239, {@code qh} (four digits) elements 240..255; within
 *     such a group of <i>w</i> bytes, element <i>w n</i>+<i>m</i> is digit <i>n</i> of byte <i>m</i>.</li>
 * </ul>
 */
final class TernaryBlocks {
    static void q1x0(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from);
        int bits = Float.floatToRawIntBits(d);
        for (int k = 0; k < 4; k++) {
            int word = ~Fields.i32(b, from + 2 + 4 * k);
            for (int j = 0; j < 32; j++) {
                out[at + 32 * k + j] = Float.intBitsToFloat(bits ^ word >>> j << 31);
            }
        }
    }

    static void q2x0(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from);
        for (int k = 0; k < 16; k++) {
            int q = b[from + 2 + k];
            out[at + 4 * k] = ((q & 3) - 1) * d;
            out[at + 4 * k + 1] = ((q >> 2 & 3) - 1) * d;
            out[at + 4 * k + 2] = ((q >> 4 & 3) - 1) * d;
            out[at + 4 * k + 3] = ((q >> 6 & 3) - 1) * d;
        }
    }

    static void tq2x0(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from + 64);
        for (int half = 0; half < 2; half++) {
            int qs = from + 32 * half;
            int to = at + 128 * half;
            for (int m = 0; m < 32; m++) {
                int q = b[qs + m];
                out[to + m] = ((q & 3) - 1) * d;
                out[to + 32 + m] = ((q >> 2 & 3) - 1) * d;
                out[to + 64 + m] = ((q >> 4 & 3) - 1) * d;
                out[to + 96 + m] = ((q >> 6 & 3) - 1) * d;
            }
        }
    }

    static void tq1x0(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from + 52);
        digits(b, from, 32, 5, d, out, at);
        digits(b, from + 32, 16, 5, d, out, at + 160);
        digits(b, from + 48, 4, 4, d, out, at + 240);
    }

    private static void digits(byte[] b, int from, int width, int digits, float d, float[] out, int at) {
        for (int m = 0; m < width; m++) {
            int rest = b[from + m] & 0xFF;
            for (int n = 0; n < digits; n++) {
                int shifted = 3 * rest;
                out[at + width * n + m] = ((shifted >> 8) - 1) * d;
                rest = shifted & 0xFF;
            }
        }
    }

    private TernaryBlocks() {
    }
}
