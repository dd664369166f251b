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
    private static final float EIGHTH = 0.125f;

    static void s(byte[] block, int from, byte[] codes, int at) {
        for (int sub = 0; sub < 8; sub++) {
            int qh = Fields.u16(block, from + 34 + 2 * sub);
            for (int g = 0; g < 4; g++) {
                int index = Fields.u8(block, from + 2 + 4 * sub + g) | (qh >> 3 * g & 7) << 8;
                Fields.putLong(codes, at + 32 * sub + 8 * g, eighths(index, (qh & 0x8000) != 0));
            }
        }
    }

    static void sScales(byte[] block, int from, float[] values, int at) {
        float d = Fields.half(block, from);
        for (int sub = 0; sub < 8; sub++) {
            int qh = Fields.u16(block, from + 34 + 2 * sub);
            Lanes.times(d * (2 * (qh >> 12 & 7) + 1) * EIGHTH, values, at + 32 * sub, 32);
        }
    }

    static void m(byte[] block, int from, byte[] codes, int at) {
        for (int g = 0; g < 32; g++) {
            int qh = block[from + 32 + (g >> 1)] >> 4 * (g & 1);
            int index = Fields.u8(block, from + g) | (qh & 7) << 8;
            Fields.putLong(codes, at + 8 * g, eighths(index, (qh & 8) != 0));
        }
    }

    static void mScales(byte[] block, int from, float[] values, int at) {
        int bits = 0;
        for (int i = 0; i < 4; i++) {
            bits |= Fields.u16(block, from + 48 + 2 * i) >> 12 << 4 * i;
        }
        float d = Float.float16ToFloat((short) bits);
        for (int s = 0; s < 16; s++) {
            int scales = Fields.u16(block, from + 48 + 2 * (s >> 2));
            Lanes.times(d * (2 * (scales >> 3 * (s & 3) & 7) + 1) * EIGHTH, values, at + 16 * s, 16);
        }
    }

    /** Eight times a shifted point: 8 coordinate ± 1, exactly. */
    private static long eighths(int index, boolean down) {
        return Lanes.less(8 * Grids.IQ1[index] + (down ? 0 : 2 * Lanes.BIT), 9);
    }

    private Iq1Blocks() {
    }
}
