package poot.core.quant;

/** Round-to-nearest packing of single blocks; the layouts are those of {@link LegacyBlocks} and {@link KBlocks}. */
final class BlockPackers {
    private static final float LARGEST_HALF = 65504f;

    static void q8x0(float[] row, int from, byte[] out, int at) {
        float largest = 0;
        for (int j = 0; j < 32; j++) {
            largest = Math.max(largest, magnitude(row[from + j]));
        }
        float d = putHalfAbove(out, at, largest / 127);
        for (int j = 0; j < 32; j++) {
            out[at + 2 + j] = (byte) code(row[from + j], d, -127, 127);
        }
    }

    static void q4x0(float[] row, int from, byte[] out, int at) {
        float extreme = 0;
        for (int j = 0; j < 32; j++) {
            float x = row[from + j];
            extreme = magnitude(x) > Math.abs(extreme) ? x : extreme;
        }
        float size = putHalfAbove(out, at, Math.abs(extreme) / 8);
        float d = extreme > 0 ? -size : size;
        Fields.putShort(out, at, Float.floatToFloat16(d));
        for (int j = 0; j < 16; j++) {
            int low = code(row[from + j], d, -8, 7) + 8;
            int high = code(row[from + 16 + j], d, -8, 7) + 8;
            out[at + 2 + j] = (byte) (low | high << 4);
        }
    }

    static void q4k(float[] row, int from, byte[] out, int at) {
        float[] least = new float[8];
        float[] most = new float[8];
        float deepest = 0;
        for (int s = 0; s < 8; s++) {
            for (int j = 0; j < 32; j++) {
                float x = row[from + 32 * s + j];
                least[s] = x < least[s] ? x : least[s];
                most[s] = x > most[s] ? x : most[s];
            }
            deepest = Math.max(deepest, -least[s]);
        }
        float dmin = putHalfAbove(out, at + 2, deepest / 63);
        int[] mins = new int[8];
        float widest = 0;
        for (int s = 0; s < 8; s++) {
            mins[s] = codeAbove(-least[s], dmin);
            widest = Math.max(widest, (most[s] + dmin * mins[s]) / 15);
        }
        float d = putHalfAbove(out, at, widest / 63);
        int[] scales = new int[8];
        for (int s = 0; s < 8; s++) {
            scales[s] = codeAbove((most[s] + dmin * mins[s]) / 15, d);
        }
        putScales(scales, mins, out, at + 4);
        for (int s = 0; s < 8; s++) {
            int shift = 4 * (s & 1);
            for (int j = 0; j < 32; j++) {
                int q = code(row[from + 32 * s + j] + dmin * mins[s], d * scales[s], 0, 15);
                int byteAt = at + 16 + 32 * (s >> 1) + j;
                out[byteAt] = (byte) (shift == 0 ? q : out[byteAt] & 15 | q << 4);
            }
        }
    }

    /** The inverse of {@link KBlocks#scale} and {@link KBlocks#min}. */
    private static void putScales(int[] scales, int[] mins, byte[] out, int at) {
        for (int s = 0; s < 4; s++) {
            out[at + s] = (byte) (scales[s] | scales[s + 4] >> 4 << 6);
            out[at + 4 + s] = (byte) (mins[s] | mins[s + 4] >> 4 << 6);
            out[at + 8 + s] = (byte) (scales[s + 4] & 15 | (mins[s + 4] & 15) << 4);
        }
    }

    /** The upper half of a binary32, to nearest, ties to even; NaN stays NaN. */
    static int brain(float x) {
        int bits = Float.floatToIntBits(x);
        return Float.isNaN(x) ? 0x7FC0 : bits + 0x7FFF + (bits >>> 16 & 1) >>> 16;
    }

    /** |x|, and 0 for NaN. */
    private static float magnitude(float x) {
        return Float.isNaN(x) ? 0 : Math.abs(x);
    }

    private static int code(float x, float d, int least, int most) {
        return d == 0 ? 0 : Math.clamp((int) Math.rint(x / d), least, most);
    }

    private static int codeAbove(float x, float d) {
        return d == 0 ? 0 : Math.min((int) Math.ceil(x / d), 63);
    }

    /** Stores the smallest finite binary16 that is not below {@code x}, or the largest, and returns it. */
    private static float putHalfAbove(byte[] out, int at, float x) {
        float wanted = Math.min(x, LARGEST_HALF);
        short bits = Float.floatToFloat16(wanted);
        if (Float.float16ToFloat(bits) < wanted) {
            bits++;
        }
        Fields.putShort(out, at, bits);
        return Float.float16ToFloat(bits);
    }

    private BlockPackers() {
    }
}
