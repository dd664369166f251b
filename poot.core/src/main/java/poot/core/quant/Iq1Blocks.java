package poot.core.quant;

/**
 * IQ1: eight elements are one of 2048 points of coordinates -1, 0, 1, shifted by 1/8 up or down. 256 elements a block.
 *
 * <ul>
 * <li>IQ1_S (ggml block_iq1_s): {@code d} binary16 at 0 (2 bytes); {@code qs} at 2 (32), low eight bits of the index
 *     of each group of eight; {@code qh} at 34 (16), one word per 32 elements: three bits a group complete the index,
 *     bits 12..14 the scale <i>s</i>, bit 15 the sign of the shift. Value {@code d (2s + 1) (point ± 1/8)}.</li>
 * <li>IQ1_M (ggml block_iq1_m): {@code qs} at 0 (32); {@code qh} at 32 (16), a nibble per group: three bits of index
 *     and the sign of the shift; {@code scales} at 48 (8), four words, each four 3-bit scales of 16 elements, lowest
 *     first, and in its top four bits a quarter of the binary16 {@code d}, lowest quarter first.</li>
 * </ul>
 */
final class Iq1Blocks {
    private static final float SHIFT = 0.125f;

    static void s(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from);
        for (int sub = 0; sub < 8; sub++) {
            int qh = Fields.u16(b, from + 34 + 2 * sub);
            float scale = d * (2 * (qh >> 12 & 7) + 1);
            float shift = (qh & 0x8000) != 0 ? -SHIFT : SHIFT;
            for (int g = 0; g < 4; g++) {
                int index = Fields.u8(b, from + 2 + 4 * sub + g) | (qh >> 3 * g & 7) << 8;
                group(index, shift, scale, out, at + 32 * sub + 8 * g);
            }
        }
    }

    static void m(byte[] b, int from, float[] out, int at) {
        int bits = 0;
        for (int i = 0; i < 4; i++) {
            bits |= Fields.u16(b, from + 48 + 2 * i) >> 12 << 4 * i;
        }
        float d = Float.float16ToFloat((short) bits);
        for (int g = 0; g < 32; g++) {
            int qh = b[from + 32 + (g >> 1)] >> 4 * (g & 1);
            int scales = Fields.u16(b, from + 48 + 2 * (g >> 3));
            float scale = d * (2 * (scales >> 3 * (g >> 1 & 3) & 7) + 1);
            float shift = (qh & 8) != 0 ? -SHIFT : SHIFT;
            group(Fields.u8(b, from + g) | (qh & 7) << 8, shift, scale, out, at + 8 * g);
        }
    }

    private static void group(int index, float shift, float scale, float[] out, int at) {
        byte[] grid = Grids.IQ1;
        for (int j = 0; j < 8; j++) {
            out[at + j] = scale * (grid[8 * index + j] + shift);
        }
    }

    private Iq1Blocks() {
    }
}
