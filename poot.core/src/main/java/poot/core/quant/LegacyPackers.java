package poot.core.quant;

/** Round-to-nearest packing of single blocks of 32; the layouts are those of {@link LegacyBlocks}. */
final class LegacyPackers {
    static void q8x0(float[] row, int from, byte[] out, int at) {
        float d = Steps.putHalfAbove(out, at, Math.abs(Steps.extreme(row, from, 32)) / 127);
        for (int j = 0; j < 32; j++) {
            out[at + 2 + j] = (byte) Steps.code(row[from + j], d, -127, 127);
        }
    }

    static void q4x0(float[] row, int from, byte[] out, int at) {
        float d = putSigned(row, from, 8, out, at);
        for (int j = 0; j < 16; j++) {
            int low = Steps.code(row[from + j], d, -8, 7) + 8;
            int high = Steps.code(row[from + 16 + j], d, -8, 7) + 8;
            out[at + 2 + j] = (byte) (low | high << 4);
        }
    }

    static void q5x0(float[] row, int from, byte[] out, int at) {
        float d = putSigned(row, from, 16, out, at);
        int[] codes = new int[32];
        for (int j = 0; j < 32; j++) {
            codes[j] = Steps.code(row[from + j], d, -16, 15) + 16;
        }
        putFives(codes, out, at + 2);
    }

    static void q4x1(float[] row, int from, byte[] out, int at) {
        int[] codes = ranged(row, from, 15, out, at);
        for (int j = 0; j < 16; j++) {
            out[at + 4 + j] = (byte) (codes[j] | codes[16 + j] << 4);
        }
    }

    static void q5x1(float[] row, int from, byte[] out, int at) {
        putFives(ranged(row, from, 31, out, at), out, at + 4);
    }

    /** The upper half of a binary32, to nearest, ties to even; NaN stays NaN. */
    static int brain(float x) {
        int bits = Float.floatToIntBits(x);
        return Float.isNaN(x) ? 0x7FC0 : bits + 0x7FFF + (bits >>> 16 & 1) >>> 16;
    }

    /** Stores the step, of either sign, that makes the value of largest magnitude code {@code -most}. */
    private static float putSigned(float[] row, int from, int most, byte[] out, int at) {
        float extreme = Steps.extreme(row, from, 32);
        float size = Steps.putHalfAbove(out, at, Math.abs(extreme) / most);
        float d = extreme > 0 ? -size : size;
        Fields.putShort(out, at, Float.floatToFloat16(d));
        return d;
    }

    /** Stores {@code d} and {@code m} of a block, and returns its codes: its range in {@code levels} steps. */
    private static int[] ranged(float[] row, int from, int levels, byte[] out, int at) {
        float least = Float.POSITIVE_INFINITY;
        float most = Float.NEGATIVE_INFINITY;
        for (int j = 0; j < 32; j++) {
            float x = row[from + j];
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
        float m = Steps.putHalfBelow(out, at + 2, least > most ? 0 : least);
        float d = Steps.putHalfAbove(out, at, least > most ? 0 : Math.max(0, most - m) / levels);
        int[] codes = new int[32];
        for (int j = 0; j < 32; j++) {
            codes[j] = Steps.code(row[from + j] - m, d, 0, levels);
        }
        return codes;
    }

    /** Stores 32 codes of five bits: the fifth bits in a word, the others in nibbles. */
    private static void putFives(int[] codes, byte[] out, int at) {
        int high = 0;
        for (int j = 0; j < 32; j++) {
            high |= codes[j] >> 4 << j;
        }
        Fields.putInt(out, at, high);
        for (int j = 0; j < 16; j++) {
            out[at + 4 + j] = (byte) (codes[j] & 15 | (codes[16 + j] & 15) << 4);
        }
    }

    private LegacyPackers() {
    }
}
