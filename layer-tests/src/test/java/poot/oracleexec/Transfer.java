package poot.oracleexec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import poot.api.graph.ElementType;
import poot.api.graph.TensorType;
import poot.oracle.Tensor;

/** The oracle's tensors as dense row-major little-endian bytes and back. */
public final class Transfer {
    private Transfer() {}

    /** The tensor of those bytes. */
    public static Tensor tensor(TensorType type, MemorySegment from) {
        int n = Math.toIntExact(type.shape().count());
        if (type.element().isFloat()) {
            float[] out = new float[n];
            for (int i = 0; i < n; i++) {
                out[i] = switch (type.element()) {
                    case F32 -> from.get(JAVA_FLOAT_UNALIGNED, 4L * i);
                    case F16 -> Float.float16ToFloat(from.get(JAVA_SHORT_UNALIGNED, 2L * i));
                    default -> Float.intBitsToFloat(from.get(JAVA_SHORT_UNALIGNED, 2L * i) << 16);
                };
            }
            return Tensor.floats(type, out);
        }
        int[] out = new int[n];
        for (int i = 0; i < n; i++) {
            out[i] = type.element() == ElementType.BOOL ? from.get(JAVA_BYTE, i) : from.get(JAVA_INT_UNALIGNED, 4L * i);
        }
        return Tensor.words(type, out);
    }

    /** A tensor as new bytes. */
    public static MemorySegment bytes(Tensor t) {
        MemorySegment out = MemorySegment.ofArray(new byte[Math.toIntExact(t.type().bytes())]);
        write(t, out);
        return out;
    }

    /** Writes a tensor to the start of {@code to}. */
    public static void write(Tensor t, MemorySegment to) {
        int n = t.count();
        for (int i = 0; i < n; i++) {
            switch (t.element()) {
                case F32 -> to.set(JAVA_FLOAT_UNALIGNED, 4L * i, t.floats()[i]);
                case F16 -> to.set(JAVA_SHORT_UNALIGNED, 2L * i, Float.floatToFloat16(t.floats()[i]));
                case BF16 -> to.set(JAVA_SHORT_UNALIGNED, 2L * i, (short) (Float.floatToRawIntBits(t.floats()[i]) >>> 16));
                case I32, U32 -> to.set(JAVA_INT_UNALIGNED, 4L * i, t.words()[i]);
                case BOOL -> to.set(JAVA_BYTE, i, (byte) t.words()[i]);
                case PACKED -> throw new IllegalArgumentException("packed elements stay in their weight");
            }
        }
    }
}
