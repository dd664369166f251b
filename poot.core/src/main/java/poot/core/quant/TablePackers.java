package poot.core.quant;

/** Packing to the nearest of 16 uneven values; the layouts are those of {@link TableBlocks}. */
final class TablePackers {
    /** The levels of IQ4_NL and IQ4_XS, ascending. */
    private static final int[] LEVELS = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
    /** The magnitudes of E2M1, ascending. */
    private static final float[] E2M1 = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
    /** The largest exponent under which every E2M1 value is finite in binary32. */
    private static final int LARGEST_EXPONENT = 252;

    static void iq4nl(float[] row, int from, byte[] out, int at) {
        float extreme = Steps.extreme(row, from, 32);
        float size = Steps.putHalfAbove(out, at, Math.abs(extreme) / 127);
        float d = extreme > 0 ? -size : size;
        Fields.putShort(out, at, Float.floatToFloat16(d));
        putLevels(row, from, d, out, at + 2);
    }

    static void iq4xs(float[] row, int from, byte[] out, int at) {
        int[] scales = new int[8];
        float d = KPackers.putSigned(row, from, 32, 127, 31, scales, out, at);
        int high = 0;
        int low = 0;
        for (int s = 0; s < 8; s++) {
            low |= (scales[s] + 32 & 15) << 4 * s;
            high |= scales[s] + 32 >> 4 << 2 * s;
        }
        Fields.putShort(out, at + 2, high);
        Fields.putInt(out, at + 4, low);
        for (int s = 0; s < 8; s++) {
            putLevels(row, from + 32 * s, d * scales[s], out, at + 8 + 16 * s);
        }
    }

    static void mxfp4(float[] row, int from, byte[] out, int at) {
        float largest = Math.min(Math.abs(Steps.extreme(row, from, 32)), Float.MAX_VALUE);
        int e = Math.max(0, Math.getExponent(largest) + 124);
        while (e < LARGEST_EXPONENT && largest > 12 * TableBlocks.halfPowerOfTwo(e)) {
            e++;
        }
        e = Math.min(e, LARGEST_EXPONENT);
        out[at] = (byte) e;
        float unit = 2 * TableBlocks.halfPowerOfTwo(e);
        for (int j = 0; j < 16; j++) {
            out[at + 1 + j] = (byte) (e2m1(row[from + j], unit) | e2m1(row[from + 16 + j], unit) << 4);
        }
    }

    private static void putLevels(float[] row, int from, float d, byte[] out, int at) {
        for (int j = 0; j < 16; j++) {
            out[at + j] = (byte) (level(row[from + j], d) | level(row[from + 16 + j], d) << 4);
        }
    }

    /** The nearest level, the lower of two equally near; that of 1 for NaN, and where all levels are 0. */
    private static int level(float x, float d) {
        float steps = d == 0 ? 0 : x / d;
        int best = 8;
        for (int q = 0; q < 16; q++) {
            best = Math.abs(steps - LEVELS[q]) < Math.abs(steps - LEVELS[best]) ? q : best;
        }
        return steps == Float.NEGATIVE_INFINITY ? 0 : steps == Float.POSITIVE_INFINITY ? 15 : best;
    }

    /** The nearest E2M1 code, ties to the even one; NaN packs as 0. */
    private static int e2m1(float x, float unit) {
        float steps = Steps.magnitude(x) / unit;
        int code = 0;
        while (code < 7 && steps > (E2M1[code] + E2M1[code + 1]) / 2
                || code % 2 == 1 && code < 7 && steps == (E2M1[code] + E2M1[code + 1]) / 2) {
            code++;
        }
        return x < 0 ? code | 8 : code;
    }

    private TablePackers() {
    }
}
