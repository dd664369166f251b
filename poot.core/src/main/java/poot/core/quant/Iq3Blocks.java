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
    static void xxs(byte[] block, int from, byte[] codes, int at) {
        for (int sub = 0; sub < 8; sub++) {
            int word = Fields.i32(block, from + 66 + 4 * sub);
            for (int g = 0; g < 4; g++) {
                int qs = from + 2 + 8 * sub + 2 * g;
                long points = Grids.IQ3_XXS[Fields.u8(block, qs)] | Grids.IQ3_XXS[Fields.u8(block, qs + 1)] << 32;
                int signs = Grids.evenSigns(word >> 7 * g & 127);
                Fields.putLong(codes, at + 32 * sub + 8 * g, Lanes.signed(points, signs));
            }
        }
    }

    static void xxsScales(byte[] block, int from, float[] values, int at) {
        float d = Fields.half(block, from);
        for (int sub = 0; sub < 8; sub++) {
            int s = Fields.i32(block, from + 66 + 4 * sub) >>> 28;
            Lanes.times(d * (0.5f + s) * 0.5f, values, at + 32 * sub, 32);
        }
    }

    static void s(byte[] block, int from, byte[] codes, int at) {
        for (int g = 0; g < 32; g++) {
            int high = block[from + 66 + (g >> 2)] >> 2 * (g & 3);
            int first = Fields.u8(block, from + 2 + 2 * g) | (high & 1) << 8;
            int second = Fields.u8(block, from + 3 + 2 * g) | (high & 2) << 7;
            long points = Grids.IQ3_S[first] | Grids.IQ3_S[second] << 32;
            Fields.putLong(codes, at + 8 * g, Lanes.signed(points, block[from + 74 + g]));
        }
    }

    static void sScales(byte[] block, int from, float[] values, int at) {
        float d = Fields.half(block, from);
        for (int sub = 0; sub < 8; sub++) {
            int s = block[from + 106 + (sub >> 1)] >> 4 * (sub & 1) & 15;
            Lanes.times(d * (1 + 2 * s), values, at + 32 * sub, 32);
        }
    }

    private Iq3Blocks() {
    }
}
