package poot.backend.cpu.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * The vector shapes kernels use: F32 and I32 of the platform's preferred width, and bytes and shorts of as many
 * lanes. All memory is little-endian and of any alignment.
 */
public final class Lanes {
    /** F32 lanes of the preferred width, at least 128 and at most 512 bits. */
    public static final VectorSpecies<Float> F32 = VectorSpecies.of(
            float.class, VectorShape.forBitSize(Math.clamp(FloatVector.SPECIES_PREFERRED.vectorBitSize(), 128, 512)));
    /** Number of F32 lanes. */
    public static final int COUNT = F32.length();
    /** I32 lanes, as many. */
    public static final VectorSpecies<Integer> I32 = VectorSpecies.of(int.class, F32.vectorShape());
    /** Whether bytes and shorts of as many lanes are a vector shape of their own: not where vectors have 128 bits. */
    public static final boolean NARROW = COUNT >= 8;
    /** Byte lanes, as many where {@link #NARROW}. */
    public static final VectorSpecies<Byte> I8 = VectorSpecies.of(byte.class, VectorShape.forBitSize(Math.max(64, 8 * COUNT)));
    /** Short lanes, as many where {@link #NARROW}. */
    public static final VectorSpecies<Short> I16 =
            VectorSpecies.of(short.class, VectorShape.forBitSize(Math.max(64, 16 * COUNT)));
    /** The byte order of every stored value. */
    public static final ByteOrder LITTLE = ByteOrder.LITTLE_ENDIAN;
    /** An F32 in memory. */
    public static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(LITTLE);
    /** A 32-bit word in memory. */
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE);
    /** A 16-bit word in memory. */
    public static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(LITTLE);
    /** A byte in memory. */
    public static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private Lanes() {}

    /**
     * The sum of all lanes, always in the same order: neighbours first, then neighbouring pairs, and so on. The
     * platform's own reduction leaves the order open, and gives other results compiled than interpreted.
     */
    public static float sum(FloatVector v) {
        float first = v.lane(0) + v.lane(1) + (v.lane(2) + v.lane(3));
        if (COUNT == 4) {
            return first;
        }
        float half = first + (v.lane(4) + v.lane(5) + (v.lane(6) + v.lane(7)));
        return COUNT == 8 ? half : half + upper(v);
    }

    private static float upper(FloatVector v) {
        return v.lane(8) + v.lane(9) + (v.lane(10) + v.lane(11)) + (v.lane(12) + v.lane(13) + (v.lane(14) + v.lane(15)));
    }

    /** {@link #sum} of the lanes that a vector left in an array. */
    public static float sum(float[] s, int at) {
        float first = s[at] + s[at + 1] + (s[at + 2] + s[at + 3]);
        if (COUNT == 4) {
            return first;
        }
        float half = first + (s[at + 4] + s[at + 5] + (s[at + 6] + s[at + 7]));
        return COUNT == 8 ? half
                : half + (s[at + 8] + s[at + 9] + (s[at + 10] + s[at + 11]) + (s[at + 12] + s[at + 13] + (s[at + 14] + s[at + 15])));
    }

    /** {@link #COUNT} floats at a byte offset. */
    public static FloatVector load(MemorySegment s, long at) {
        return FloatVector.fromMemorySegment(F32, s, at, LITTLE);
    }

    /** {@link #COUNT} floats of an array. */
    public static FloatVector load(float[] s, int at) {
        return FloatVector.fromArray(F32, s, at);
    }

    /** {@link #COUNT} signed bytes widened to I32. */
    public static IntVector bytes(byte[] s, int at) {
        return (IntVector) ByteVector.fromArray(I8, s, at).convertShape(VectorOperators.B2I, I32, 0);
    }

    /** {@link #COUNT} unsigned bytes widened to I32. */
    public static IntVector codes(byte[] s, int at) {
        return (IntVector) ByteVector.fromArray(I8, s, at).convertShape(VectorOperators.ZERO_EXTEND_B2I, I32, 0);
    }

    /** {@link #COUNT} unsigned shorts widened to I32. */
    public static IntVector shorts(MemorySegment s, long at) {
        return (IntVector) ShortVector.fromMemorySegment(I16, s, at, LITTLE)
                .convertShape(VectorOperators.ZERO_EXTEND_S2I, I32, 0);
    }

    /** Integers as F32. */
    public static FloatVector floats(IntVector v) {
        return (FloatVector) v.convertShape(VectorOperators.I2F, F32, 0);
    }

    /** The largest multiple of {@link #COUNT} not above {@code n}. */
    public static int whole(int n) {
        return n & -COUNT;
    }
}
