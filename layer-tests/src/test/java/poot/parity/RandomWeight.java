package poot.parity;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import poot.api.graph.Encoding;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.core.quant.QuantFormats;

/** Weights of arbitrary blocks whose 16-bit fields are moderate binary16 or bfloat16 numbers wherever they lie. */
final class RandomWeight {
    private RandomWeight() {}

    private static MemorySegment bytes(Random random, Encoding e, long size, Arena arena) {
        MemorySegment s = arena.allocate(size + 1).asSlice(1, size);
        if (e == Encoding.F32) {
            for (long i = 0; i < size; i += 4) {
                s.set(ValueLayout.JAVA_FLOAT_UNALIGNED, i, (float) random.nextGaussian());
            }
            return s;
        }
        for (long i = 0; i < size; i++) {
            s.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt(256));
        }
        for (int field : scales(e)) {
            for (long block = 0; block < size; block += e.blockBytes()) {
                short d = e == Encoding.BF16 ? (short) (Float.floatToRawIntBits((float) random.nextGaussian()) >>> 16)
                        : Float.floatToFloat16((float) random.nextGaussian() / 8);
                s.set(ValueLayout.JAVA_SHORT_UNALIGNED, block + field, d);
            }
        }
        return s;
    }

    private static int[] scales(Encoding e) {
        return switch (e) {
            case F16, BF16, Q1_0, Q2_0, Q4_0, Q5_0, Q8_0, IQ1_S, IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S, IQ4_NL, IQ4_XS -> new int[] {0};
            case Q4_1, Q5_1, Q4_K, Q5_K -> new int[] {0, 2};
            case Q2_K -> new int[] {80, 82};
            case Q3_K -> new int[] {108};
            case Q6_K -> new int[] {208};
            case TQ1_0 -> new int[] {52};
            case TQ2_0 -> new int[] {64};
            default -> new int[0];
        };
    }

    /** A weight of an encoding of one part, named after it; it begins at an odd address. */
    static Weight of(Random random, Encoding e, Shape shape, Arena arena) {
        long size = shape.count() / e.blockElements() * e.blockBytes();
        MemorySegment s = bytes(random, e, size, arena);
        if (e == Encoding.MXFP4) {
            for (long b = 0; b < size; b += e.blockBytes()) {
                s.set(ValueLayout.JAVA_BYTE, b, (byte) (125 + random.nextInt(4)));
            }
        }
        if (e == Encoding.IQ1_M) {
            for (long b = 48; b < size; b += e.blockBytes()) {
                s.set(ValueLayout.JAVA_BYTE, b + 5, (byte) 0xc0);
                s.set(ValueLayout.JAVA_BYTE, b + 7, (byte) 0x20);
            }
        }
        return Weight.whole(e + "", QuantFormats.of(e), shape, List.of(s));
    }
}
