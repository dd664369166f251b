package poot.core.quant;

/**
 * IQ3: four elements are a point of a grid of magnitudes; signs come eight at a time. 256 elements a block, {@code d}
 * binary16 at 0 (2 bytes).
 *
 * <ul>
 * <li>IQ3_XXS (ggml block_iq3_xxs): {@code qs} at 2 (64), an index per four elements; at 66 (32) a word per 32
 *     elements: four 7-bit sign codes (see {@link Grids#evenSigns}), lowest first, and in its top four bits the scale
 *     <i>s</i>. Value {@code d (s + 1/2) / 2 × ± magnitude}.</li>
 * <li>IQ3_S (ggml block_iq3_s): {@code qs} at 2 (64), low eight bits of each index; {@code qh} at 66 (8), the ninth
 *     bits, bit <i>i</i> of byte <i>k</i> for four elements 8<i>k</i>+<i>i</i>; {@code signs} at 74 (32), bit <i>j</i>
 *     set where element <i>j</i> is negative; {@code scales} at 106 (4), a nibble <i>s</i> per 32 elements, low first.
 *     Value {@code d (2s + 1) × ± magnitude}.</li>
 * </ul>
 */
final class Iq3Blocks {
    static void xxs(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from);
        for (int sub = 0; sub < 8; sub++) {
            int word = Fields.i32(b, from + 66 + 4 * sub);
            float scale = d * (0.5f + (word >>> 28)) * 0.5f;
            for (int g = 0; g < 4; g++) {
                int signs = Grids.evenSigns(word >> 7 * g & 127);
                int qs = from + 2 + 8 * sub + 2 * g;
                int to = at + 32 * sub + 8 * g;
                group(Grids.IQ3_XXS, Fields.u8(b, qs), signs, scale, out, to);
                group(Grids.IQ3_XXS, Fields.u8(b, qs + 1), signs >> 4, scale, out, to + 4);
            }
        }
    }

    static void s(byte[] b, int from, float[] out, int at) {
        float d = Fields.half(b, from);
        for (int sub = 0; sub < 8; sub++) {
            float scale = d * (1 + 2 * (b[from + 106 + (sub >> 1)] >> 4 * (sub & 1) & 15));
            int qh = b[from + 66 + sub];
            for (int q = 0; q < 8; q++) {
                int index = Fields.u8(b, from + 2 + 8 * sub + q) | (qh >> q & 1) << 8;
                int signs = b[from + 74 + 4 * sub + (q >> 1)] >> 4 * (q & 1);
                group(Grids.IQ3_S, index, signs, scale, out, at + 32 * sub + 4 * q);
            }
        }
    }

    private static void group(byte[] grid, int index, int signs, float scale, float[] out, int at) {
        for (int j = 0; j < 4; j++) {
            out[at + j] = scale * (grid[4 * index + j] * (1 - 2 * (signs >> j & 1)));
        }
    }

    private Iq3Blocks() {
    }
}
