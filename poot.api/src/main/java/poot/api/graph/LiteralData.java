package poot.api.graph;

import java.util.Arrays;

/** Values known at trace time: F32 or I32/U32/BOOL elements, row-major. Immutable. */
public final class LiteralData {
    private final TensorType type;
    private final int[] bits;

    private LiteralData(TensorType type, int[] bits) {
        if (type.shape().count() != bits.length) {
            throw new IllegalArgumentException(bits.length + " values for " + type);
        }
        this.type = type;
        this.bits = bits;
    }

    /** An F32 tensor. */
    public static LiteralData floats(Shape shape, float... values) {
        int[] bits = new int[values.length];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Float.floatToRawIntBits(values[i]);
        }
        return new LiteralData(new TensorType(ElementType.F32, shape), bits);
    }

    /** A tensor of I32, U32 or BOOL words. */
    public static LiteralData words(ElementType element, Shape shape, int... values) {
        if (element.isFloat() || element == ElementType.PACKED) {
            throw new IllegalArgumentException("words of " + element);
        }
        return new LiteralData(new TensorType(element, shape), values.clone());
    }

    /** Element type and shape. */
    public TensorType type() {
        return type;
    }

    /** The i-th element as F32. */
    public float floatAt(int i) {
        return Float.intBitsToFloat(bits[i]);
    }

    /** The raw 32 bits of the i-th element. */
    public int bitsAt(int i) {
        return bits[i];
    }

    /** Number of elements. */
    public int count() {
        return bits.length;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof LiteralData d && type.equals(d.type) && Arrays.equals(bits, d.bits);
    }

    @Override
    public int hashCode() {
        return 31 * type.hashCode() + Arrays.hashCode(bits);
    }

    @Override
    public String toString() {
        String head = Arrays.stream(bits).limit(4)
                .mapToObj(b -> type.element() == ElementType.F32 ? Float.toString(Float.intBitsToFloat(b)) : Integer.toString(b))
                .reduce((a, b) -> a + ", " + b).orElse("");
        return type + "{" + head + (bits.length > 4 ? ", …" : "") + "}";
    }
}
