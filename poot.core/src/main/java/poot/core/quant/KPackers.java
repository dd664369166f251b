package poot.core.quant;

/** Round-to-nearest packing of single blocks of 256; the layouts are those of {@link KBlocks}. */
final class KPackers {
    /**
     * The sub-blocks of a block whose ranges, widened to hold 0, are cut into equal steps.
     *
     * @param d      the step of the scales
     * @param dmin   the step of the minima
     * @param scales one per sub-block: its step in steps of {@code d}
     * @param mins   one per sub-block: how far below 0 it begins, in steps of {@code dmin}
     */
    private record Ranges(float d, float dmin, int[] scales, int[] mins) {
        /** Finds the ranges of sub-blocks of {@code size}; stores {@code d} at {@code dAt} and {@code dmin} behind it. */
        static Ranges put(float[] row, int from, int size, int levels, int mostScale, byte[] out, int dAt) {
            int count = 256 / size;
            float[] least = new float[count];
            float[] most = new float[count];
            float deepest = 0;
            for (int i = 0; i < 256; i++) {
                float x = row[from + i];
                int s = i / size;
                least[s] = x < least[s] ? x : least[s];
                most[s] = x > most[s] ? x : most[s];
                deepest = Math.max(deepest, -least[s]);
            }
            float dmin = Steps.putHalfAbove(out, dAt + 2, deepest / mostScale);
            int[] mins = new int[count];
            float[] steps = new float[count];
            float widest = 0;
            for (int s = 0; s < count; s++) {
                mins[s] = Steps.codeAbove(-least[s], dmin, mostScale);
                steps[s] = (most[s] + dmin * mins[s]) / levels;
                widest = Math.max(widest, steps[s]);
            }
            float d = Steps.putHalfAbove(out, dAt, widest / mostScale);
            int[] scales = new int[count];
            for (int s = 0; s < count; s++) {
                scales[s] = Steps.codeAbove(steps[s], d, mostScale);
            }
            return new Ranges(d, dmin, scales, mins);
        }

        int code(float x, int s, int levels) {
            return Steps.code(x + dmin * mins[s], d * scales[s], 0, levels);
        }
    }

    static void q2k(float[] row, int from, byte[] out, int at) {
        Ranges ranges = Ranges.put(row, from, 16, 3, 15, out, at + 80);
        for (int s = 0; s < 16; s++) {
            out[at + s] = (byte) (ranges.scales()[s] | ranges.mins()[s] << 4);
        }
        int[] codes = new int[256];
        for (int i = 0; i < 256; i++) {
            codes[i] = ranges.code(row[from + i], i / 16, 3);
        }
        putPairs(codes, out, at + 16);
    }

    static void q3k(float[] row, int from, byte[] out, int at) {
        int[] scales = new int[16];
        float d = putSigned(row, from, 16, 4, 31, scales, out, at + 108);
        for (int s = 0; s < 12; s++) {
            out[at + 96 + s] = 0;
        }
        for (int s = 0; s < 16; s++) {
            int stored = scales[s] + 32;
            out[at + 96 + (s & 7)] |= (byte) ((stored & 15) << 4 * (s >> 3));
            out[at + 104 + (s & 3)] |= (byte) (stored >> 4 << 2 * (s >> 2));
        }
        int[] codes = new int[256];
        for (int i = 0; i < 256; i++) {
            codes[i] = Steps.code(row[from + i], d * scales[i / 16], -4, 3) + 4;
        }
        putBits(codes, 2, out, at);
        putPairs(codes, out, at + 32);
    }

    static void q4k(float[] row, int from, byte[] out, int at) {
        putNibbles(ranged(row, from, 15, out, at), out, at + 16);
    }

    static void q5k(float[] row, int from, byte[] out, int at) {
        int[] codes = ranged(row, from, 31, out, at);
        putBits(codes, 4, out, at + 16);
        putNibbles(codes, out, at + 48);
    }

    static void q6k(float[] row, int from, byte[] out, int at) {
        int[] scales = new int[16];
        float d = putSigned(row, from, 16, 32, 127, scales, out, at + 208);
        for (int s = 0; s < 16; s++) {
            out[at + 192 + s] = (byte) scales[s];
        }
        for (int i = 0; i < 192; i++) {
            out[at + i] = 0;
        }
        for (int i = 0; i < 256; i++) {
            int code = Steps.code(row[from + i], d * scales[i / 16], -32, 31) + 32;
            int half = i >> 7;
            int j = i & 127;
            out[at + 64 * half + (j & 63)] |= (byte) ((code & 15) << 4 * (j >> 6));
            out[at + 128 + 32 * half + (j & 31)] |= (byte) (code >> 4 << 2 * (j >> 5));
        }
    }

    /**
     * Finds per sub-block the scale, of either sign, in steps of {@code d} (stored, returned) that makes its value of
     * largest magnitude code {@code -most}.
     */
    static float putSigned(
            float[] row, int from, int size, int most, int mostScale, int[] scales, byte[] out, int dAt) {
        float[] steps = new float[256 / size];
        float widest = 0;
        for (int s = 0; s < steps.length; s++) {
            steps[s] = Steps.extreme(row, from + s * size, size) / -most;
            widest = Math.max(widest, Math.abs(steps[s]));
        }
        float d = Steps.putHalfAbove(out, dAt, widest / mostScale);
        for (int s = 0; s < steps.length; s++) {
            int code = Steps.codeAbove(Math.abs(steps[s]), d, mostScale);
            scales[s] = steps[s] < 0 ? -code : code;
        }
        return d;
    }

    /** Stores the scales and minima of Q4_K or Q5_K and returns the codes. */
    private static int[] ranged(float[] row, int from, int levels, byte[] out, int at) {
        Ranges ranges = Ranges.put(row, from, 32, levels, 63, out, at);
        int[] scales = ranges.scales();
        int[] mins = ranges.mins();
        for (int s = 0; s < 4; s++) {
            out[at + 4 + s] = (byte) (scales[s] | scales[s + 4] >> 4 << 6);
            out[at + 8 + s] = (byte) (mins[s] | mins[s + 4] >> 4 << 6);
            out[at + 12 + s] = (byte) (scales[s + 4] & 15 | (mins[s + 4] & 15) << 4);
        }
        int[] codes = new int[256];
        for (int i = 0; i < 256; i++) {
            codes[i] = ranges.code(row[from + i], i / 32, levels);
        }
        return codes;
    }

    /** The low two bits: element 128h+32s+l in field s of byte 32h+l. */
    private static void putPairs(int[] codes, byte[] out, int at) {
        for (int b = 0; b < 64; b++) {
            int first = 128 * (b >> 5) + (b & 31);
            out[at + b] = (byte) (codes[first] & 3 | (codes[first + 32] & 3) << 2
                    | (codes[first + 64] & 3) << 4 | (codes[first + 96] & 3) << 6);
        }
    }

    /** The low four bits: element 64h+32s+l in nibble s of byte 32h+l. */
    private static void putNibbles(int[] codes, byte[] out, int at) {
        for (int b = 0; b < 128; b++) {
            int first = 64 * (b >> 5) + (b & 31);
            out[at + b] = (byte) (codes[first] & 15 | (codes[first + 32] & 15) << 4);
        }
    }

    /** One bit of every code: that of element 32s+l is bit s of byte l. */
    private static void putBits(int[] codes, int bit, byte[] out, int at) {
        for (int l = 0; l < 32; l++) {
            int bits = 0;
            for (int s = 0; s < 8; s++) {
                bits |= (codes[32 * s + l] >> bit & 1) << s;
            }
            out[at + l] = (byte) bits;
        }
    }

    private KPackers() {
    }
}
