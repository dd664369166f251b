package poot.core.quant;

/**
 * IQ2: eight elements are a point of a grid of magnitudes with eight signs. 256 elements a block, {@code d} binary16 at
 * 0 (2 bytes). Value {@code d (s + 1/2) / 4 × ± magnitude}.
 *
 * <ul>
 * <li>IQ2_XXS (ggml block_iq2_xxs): {@code qs} at 2 (64), eight bytes per 32 elements: four indices, then a word of four
 *     7-bit sign codes (see {@link Grids#evenSigns}), lowest first, and in its top four bits the scale <i>s</i>.</li>
 * <li>IQ2_XS (ggml block_iq2_xs): {@code qs} at 2 (64), a word per group: nine bits of index, seven of sign code;
 *     {@code scales} at 66 (8), a nibble <i>s</i> per 16 elements, low first.</li>
 * <li>IQ2_S (ggml block_iq2_s): {@code qs} at 2 (32), low eight bits of each index; {@code signs} at 34 (32), bit
 *     <i>j</i> set where element <i>j</i> is negative; {@code qh} at 66 (8), two bits a group complete the index;
 *     {@code scales} at 74 (8) as in IQ2_XS.</li>
 * </ul>
 */
final class Iq2Blocks {
    static void xxs(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from);
        for (int sub = 0; sub < 8; sub++) {
            int qs = from + 2 + 8 * sub;
            int word = Fields.i32(b, qs + 4);
            float scale = d * (0.5f + (word >>> 28)) * 0.25f;
            for (int g = 0; g < 4; g++) {
                int signs = Grids.evenSigns(word >> 7 * g & 127);
                group(Grids.IQ2_XXS, Fields.u8(b, qs + g), signs, scale, out, at + 32 * sub + 8 * g);
            }
        }
    }

    static void xs(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from);
        for (int g = 0; g < 32; g++) {
            int word = Fields.u16(b, from + 2 + 2 * g);
            group(Grids.IQ2_XS, word & 511, Grids.evenSigns(word >> 9), scale(b, from + 66, d, g), out, at + 8 * g);
        }
    }

    static void s(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from);
        for (int g = 0; g < 32; g++) {
            int high = b[from + 66 + (g >> 2)] >> 2 * (g & 3) & 3;
            int index = Fields.u8(b, from + 2 + g) | high << 8;
            group(Grids.IQ2_S, index, b[from + 34 + g], scale(b, from + 74, d, g), out, at + 8 * g);
        }
    }

    private static float scale(byte[] b, int scales, float d, int g) {
        return d * (0.5f + (b[scales + (g >> 2)] >> 4 * (g >> 1 & 1) & 15)) * 0.25f;
    }

    private static void group(byte[] grid, int index, int signs, float scale, float[] out, int at) {
        for (int j = 0; j < 8; j++) {
            out[at + j] = scale * (grid[8 * index + j] * (1 - 2 * (signs >> j & 1)));
        }
    }

    private Iq2Blocks() {
    }
}
