package poot.emit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Random;
import poot.api.graph.Encoding;

/** Rows of random codes under scales of one size. */
final class RandomBlocks {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private RandomBlocks() {}

    static void fill(Encoding encoding, MemorySegment to, Random random) {
        byte[] bytes = new byte[(int) to.byteSize()];
        random.nextBytes(bytes);
        MemorySegment.copy(bytes, 0, to, ValueLayout.JAVA_BYTE, 0, bytes.length);
        for (long at = 0; at < bytes.length; at += encoding.blockBytes()) {
            scales(encoding, to, at, random);
        }
    }

    private static void scales(Encoding encoding, MemorySegment to, long at, Random random) {
        switch (encoding) {
            case F32 -> to.set(FLOAT, at, (float) random.nextGaussian());
            case F16 -> to.set(SHORT, at, Float.floatToFloat16((float) random.nextGaussian()));
            case BF16 -> to.set(SHORT, at, (short) (Float.floatToIntBits((float) random.nextGaussian()) >>> 16));
            case MXFP4 -> to.set(ValueLayout.JAVA_BYTE, at, (byte) (120 + random.nextInt(5)));
            case NVFP4 -> { }
            case Q4_1, Q5_1, Q4_K, Q5_K -> halves(to, random, at, at + 2);
            case Q2_K -> halves(to, random, at + 80, at + 82);
            case Q3_K -> halves(to, random, at + 108);
            case Q6_K -> halves(to, random, at + 208);
            case TQ1_0 -> halves(to, random, at + 52);
            case TQ2_0 -> halves(to, random, at + 64);
            default -> halves(to, random, at);
        }
    }

    private static void halves(MemorySegment to, Random random, long... places) {
        for (long place : places) {
            to.set(SHORT, place, Float.floatToFloat16((random.nextBoolean() ? 0.01f : -0.01f) * (1 + random.nextFloat())));
        }
    }
}
