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
    static void q1x0(byte[] block, int from, byte[] codes, int at) {
        for (int k = 0; k < 16; k++) {
            Fields.putLong(codes, at + 8 * k, Lanes.less(Lanes.bits(block[from + 2 + k]) << 1, 1));
        }
    }

    static void q2x0(byte[] block, int from, byte[] codes, int at) {
        for (int k = 0; k < 8; k++) {
            long pairs = Long.expand(Fields.u16(block, from + 2 + 2 * k), Lanes.PAIR);
            Fields.putLong(codes, at + 8 * k, Lanes.less(pairs, 1));
        }
    }

    static void tq2x0(byte[] block, int from, byte[] codes, int at) {
        for (int k = 0; k < 64; k += 8) {
            long word = Fields.i64(block, from + k);
            int to = at + 128 * (k >> 5) + (k & 31);
            for (int l = 0; l < 4; l++) {
                Fields.putLong(codes, to + 32 * l, Lanes.less(word >>> 2 * l & Lanes.PAIR, 1));
            }
        }
    }

    static void tq1x0(byte[] block, int from, byte[] codes, int at) {
        digits(block, from, 32, 5, codes, at);
        digits(block, from + 32, 16, 5, codes, at + 160);
        digits(block, from + 48, 4, 4, codes, at + 240);
    }

    static void q1x0Scale(byte[] block, int from, float[] values, int at) {
        Lanes.times(Fields.half(block, from), values, at, 128);
    }

    static void q2x0Scale(byte[] block, int from, float[] values, int at) {
        Lanes.times(Fields.half(block, from), values, at, 64);
    }

    static void tq2x0Scale(byte[] block, int from, float[] values, int at) {
        Lanes.times(Fields.half(block, from + 64), values, at, 256);
    }

    static void tq1x0Scale(byte[] block, int from, float[] values, int at) {
        Lanes.times(Fields.half(block, from + 52), values, at, 256);
    }

    private static void digits(byte[] block, int from, int width, int digits, byte[] codes, int at) {
        for (int m = 0; m < width; m++) {
            int rest = block[from + m] & 0xFF;
            for (int n = 0; n < digits; n++) {
                int shifted = 3 * rest;
                codes[at + width * n + m] = (byte) ((shifted >> 8) - 1);
                rest = shifted & 0xFF;
            }
        }
    }

    private TernaryBlocks() {
    }
}
