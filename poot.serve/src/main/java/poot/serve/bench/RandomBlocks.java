package poot.serve.bench;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import poot.api.graph.Encoding;

/**
 * Writes rows of random packed blocks: random codes under scales that give the decoded weights a mean near 0 and a
 * deviation near 1/√columns, so that activations keep their size from layer to layer.
 *
 * <p>Codes are drawn, not found: a row costs its bytes. The layouts are those of the GGUF specification.
 */
final class RandomBlocks {
    /** Deviation of a uniform code of 0 … 15, and of 0 … 31, 0 … 63, −128 … 127. */
    private static final float FOUR_BITS = 4.61f;
    private static final float FIVE_BITS = 9.23f;
    private static final float SIX_BITS = 18.5f;
    private static final float EIGHT_BITS = 73.9f;
    /** Deviation of the 16 values of the IQ4 table, and of the 16 values of FP4. */
    private static final float TABLE = 68f;
    private static final float FP4 = 2.93f;
    /** Sub-block scales of the K formats are drawn from 32 … 63; their root mean square. */
    private static final int LEAST_SCALE = 32;
    private static final float SCALE = 48.4f;

    private final Encoding encoding;
    private final Random random;
    private final float deviation;

    RandomBlocks(Encoding encoding, int columns, long seed) {
        this.encoding = encoding;
        this.random = new Random(seed);
        this.deviation = 1 / (float) Math.sqrt(columns);
    }

    /** The packed bytes of a row. */
    byte[] row(int columns) {
        int blocks = columns / encoding.blockElements();
        byte[] bytes = new byte[blocks * encoding.blockBytes()];
        random.nextBytes(bytes);
        ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int b = 0; b < blocks; b++) {
            scale(out, b * encoding.blockBytes());
        }
        return bytes;
    }

    /** Overwrites what is not a code in the random bytes of the block that starts at {@code at}. */
    private void scale(ByteBuffer out, int at) {
        switch (encoding) {
            case F32 -> out.putFloat(at, normal());
            case F16 -> out.putShort(at, Float.floatToFloat16(normal()));
            case BF16 -> out.putShort(at, (short) (Float.floatToRawIntBits(normal()) >>> 16));
            case Q8_0 -> half(out, at, either(deviation / EIGHT_BITS));
            case Q4_0 -> half(out, at, either(deviation / FOUR_BITS));
            case Q5_0 -> half(out, at, either(deviation / FIVE_BITS));
            case Q5_1 -> range(out, at, deviation / FIVE_BITS, 15.5f, -1);
            case Q4_K -> {
                range(out, at, deviation / (FOUR_BITS * SCALE), 7.5f, 1);
                kScales(out, at + 4);
            }
            case Q5_K -> {
                range(out, at, deviation / (FIVE_BITS * SCALE), 15.5f, 1);
                kScales(out, at + 4);
            }
            case Q6_K -> {
                for (int i = 0; i < 16; i++) {
                    out.put(at + 192 + i, (byte) (drawnScale() * (random.nextBoolean() ? 1 : -1)));
                }
                half(out, at + 208, deviation / (SIX_BITS * SCALE));
            }
            case IQ4_NL -> half(out, at, either(deviation / TABLE));
            case IQ4_XS -> half(out, at, either(deviation / (TABLE * 18.5f)));
            case MXFP4 -> out.put(at, (byte) (127 + Math.getExponent(deviation / FP4 * 1.41f)));
            default -> throw new IllegalArgumentException("no random blocks of " + encoding);
        }
    }

    private float normal() {
        return deviation * (float) random.nextGaussian();
    }

    private float either(float scale) {
        return random.nextBoolean() ? scale : -scale;
    }

    private int drawnScale() {
        return LEAST_SCALE + random.nextInt(LEAST_SCALE);
    }

    private static void half(ByteBuffer out, int at, float value) {
        out.putShort(at, Float.floatToFloat16(value));
    }

    /** A scale and the offset that centres its codes: {@code sign} says whether the offset is subtracted (1) or added (-1). */
    private void range(ByteBuffer out, int at, float scale, float middle, int sign) {
        float s = either(scale);
        half(out, at, s);
        half(out, at + 2, sign * middle * s);
    }

    /** Eight scales of 6 bits and as many equal minima, in 12 bytes. */
    private void kScales(ByteBuffer out, int at) {
        int[] s = new int[8];
        for (int i = 0; i < 8; i++) {
            s[i] = drawnScale();
        }
        for (int i = 0; i < 4; i++) {
            byte low = (byte) (s[i] | s[i + 4] >> 4 << 6);
            out.put(at + i, low);
            out.put(at + 4 + i, low);
            out.put(at + 8 + i, (byte) (s[i + 4] & 15 | (s[i + 4] & 15) << 4));
        }
    }
}
