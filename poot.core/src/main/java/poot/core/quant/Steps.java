package poot.core.quant;

/** What all packers share: step sizes as they are stored, never too small for the range they must cover, and codes. */
final class Steps {
    private static final float LARGEST_HALF = 65504f;

    /** Leaves room for the rounding of the quotient, so that a range a step covers exactly keeps that step. */
    private static final float NEARLY = 1 - 0x1p-20f;

    /** Stores the smallest finite binary16 that covers {@code x} (0 or more), or the largest, and returns it. */
    static float putHalfAbove(byte[] out, int at, float x) {
        float wanted = Math.min(x, LARGEST_HALF);
        short bits = Float.floatToFloat16(wanted);
        if (Float.float16ToFloat(bits) < wanted * NEARLY) {
            bits++;
        }
        Fields.putShort(out, at, bits);
        return Float.float16ToFloat(bits);
    }

    /** Stores the largest finite binary16 not above {@code x}, or the smallest, and returns it. */
    static float putHalfBelow(byte[] out, int at, float x) {
        float wanted = Math.clamp(x, -LARGEST_HALF, LARGEST_HALF);
        short bits = Float.floatToFloat16(wanted);
        if (Float.float16ToFloat(bits) > wanted) {
            bits += (short) (wanted < 0 ? 1 : -1);
        }
        if (wanted < 0 && bits == 0x0001) {
            bits = (short) 0x8001;
        }
        Fields.putShort(out, at, bits);
        return Float.float16ToFloat(bits);
    }

    /** The code of {@code x} in steps of {@code d}, to nearest within a range; 0 for a step of 0 and for NaN. */
    static int code(float x, float d, int least, int most) {
        return d == 0 ? 0 : Math.clamp((int) Math.rint(x / d), least, most);
    }

    /** The smallest number of steps of {@code d} that covers {@code x} (0 or more), or {@code most}. */
    static int codeAbove(float x, float d, int most) {
        return d == 0 ? 0 : Math.min((int) Math.ceil(x / d * NEARLY), most);
    }

    /** |x|, and 0 for NaN. */
    static float magnitude(float x) {
        return Float.isNaN(x) ? 0 : Math.abs(x);
    }

    /** The value of largest magnitude of a run, the first of equals; NaN counts as 0. */
    static float extreme(float[] row, int from, int count) {
        float extreme = 0;
        for (int j = 0; j < count; j++) {
            float x = row[from + j];
            extreme = magnitude(x) > Math.abs(extreme) ? x : extreme;
        }
        return extreme;
    }

    private Steps() {
    }
}
