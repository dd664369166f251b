package poot.backend.cuda.kernels;

import java.util.Random;

/** Values that arithmetic is easily wrong of, and some that are ordinary. */
final class Awkward {
    private Awkward() {}

    private static final float[] FLOATS = {
        0f, -0f, 1f, -1f, 0.5f, -0.5f, 1.5f, 2.5f, -2.5f, 3.75f, 1e-3f, 65504f, 65520f, -65536f, 7e4f, 6.1e-5f, 5.9e-8f, 2.9e-8f,
        1e20f, -1e20f, 3.3e38f, 1.2e-38f, Float.MAX_VALUE, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN, 2147483648f,
        -2147483648f, 4294967296f, 4294967040f, 2147483520f, 1.0009766f, 1.00390625f, 1.01171875f, 0.1f, 127f, 128f, -127.5f, 126.99f, 33.3f,
    };
    private static final int[] WORDS = {
        0, 1, -1, 2, 3, 7, 8, 31, 32, 33, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe,
        0x01020304, 0x80818283, 0x7f7f7f7f, 0x80808080, 0xff00ff00, 12345678, -12345678, 1000003,
    };

    /** {@code n} floats: the awkward ones, each turned by {@code turn}, then others. */
    static float[] floats(int n, int turn) {
        Random random = new Random(turn);
        float[] out = new float[n];
        for (int i = 0; i < n; i++) {
            out[i] = i < FLOATS.length ? FLOATS[(i * (2 * turn + 1) + turn) % FLOATS.length] : (random.nextFloat() - 0.5f) * (1 << random.nextInt(20));
        }
        return out;
    }

    /** {@code n} words, likewise. */
    static int[] words(int n, int turn) {
        Random random = new Random(turn);
        int[] out = new int[n];
        for (int i = 0; i < n; i++) {
            out[i] = i < WORDS.length ? WORDS[(i * (2 * turn + 1) + turn) % WORDS.length] : random.nextInt() >> random.nextInt(28);
        }
        return out;
    }
}
