package poot.core.quant;

/**
 * IQ2: eight elements are a point of a grid of magnitudes with eight signs. 256 elements a block, {@code d} binary16 at
 * 0 (2 bytes). Value {@code d (s + 1/2) / 4 × ± magnitude}.
 *
 * <ul>
 * <li>IQ2_XXS (ggml block_iq2_xxs): {@code qs} at 2 (64), eight bytes per 32 elements: four indices, then a word of
 *     four 7-bit sign codes (see {@link Grids#evenSigns}), lowest first, and in its top four bits the scale
 *     <i>s</i>.</li>
 * <li>IQ2_XS (ggml block_iq2_xs): {@code qs} at 2 (64), a word per group: nine bits of index, seven of sign code;
 *     {@code scales} at 66 (8), a nibble <i>s</i> per 16 elements, low first.</li>
 * <li>IQ2_S (ggml block_iq2_s): {@code qs} at 2 (32), low eight bits of each index; {@code signs} at 34 (32), bit
 *     <i>j</i> set where element <i>j</i> is negative; {@code qh} at 66 (8), two bits a group complete the index;
 *     {@code scales} at 74 (8) as in IQ2_XS.</li>
 * </ul>
 */
final class Iq2Blocks {
    static void xxs(byte[] block, int from, byte[] codes, int at) {
        for (int sub = 0; sub < 8; sub++) {
            int qs = from + 2 + 8 * sub;
            int word = Fields.i32(block, qs + 4);
            for (int g = 0; g < 4; g++) {
                long point = Grids.IQ2_XXS[Fields.u8(block, qs + g)];
                Fields.putLong(codes, at + 32 * sub + 8 * g, Lanes.signed(point, Grids.evenSigns(word >> 7 * g & 127)));
            }
        }
    }

    static void xxsScales(byte[] block, int from, float[] values, int at) {
        float d = Fields.half(block, from);
        for (int sub = 0; sub < 8; sub++) {
            int s = Fields.i32(block, from + 6 + 8 * sub) >>> 28;
            Lanes.times(d * (0.5f + s) * 0.25f, values, at + 32 * sub, 32);
        }
    }

    static void xs(byte[] block, int from, byte[] codes, int at) {
        for (int g = 0; g < 32; g++) {
            int word = Fields.u16(block, from + 2 + 2 * g);
            long point = Grids.IQ2_XS[word & 511];
            Fields.putLong(codes, at + 8 * g, Lanes.signed(point, Grids.evenSigns(word >> 9)));
        }
    }

    static void xsScales(byte[] block, int from, float[] values, int at) {
        nibbleScales(block, from, from + 66, values, at);
    }

    static void s(byte[] block, int from, byte[] codes, int at) {
        for (int g = 0; g < 32; g++) {
            int high = block[from + 66 + (g >> 2)] >> 2 * (g & 3) & 3;
            long point = Grids.IQ2_S[Fields.u8(block, from + 2 + g) | high << 8];
            Fields.putLong(codes, at + 8 * g, Lanes.signed(point, block[from + 34 + g]));
        }
    }

    static void sScales(byte[] block, int from, float[] values, int at) {
        nibbleScales(block, from, from + 74, values, at);
    }

    private static void nibbleScales(byte[] block, int from, int scales, float[] values, int at) {
        float d = Fields.half(block, from);
        for (int i = 0; i < 16; i++) {
            int s = block[scales + (i >> 1)] >> 4 * (i & 1) & 15;
            Lanes.times(d * (0.5f + s) * 0.25f, values, at + 16 * i, 16);
        }
    }

    private Iq2Blocks() {
    }
}
