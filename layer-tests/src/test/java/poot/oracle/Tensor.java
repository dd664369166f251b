package poot.oracle;

import java.util.Arrays;
import java.util.List;
import poot.api.graph.ElementType;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;

/**
 * A dense row-major tensor. Floats of every width are kept as the F32 values they denote, packed elements as what
 * their format decodes them to; I32, U32 and BOOL (0 or 1) are kept as words. Data is not written after creation.
 */
public final class Tensor {
    private final TensorType type;
    private final float[] floats;
    private final int[] words;

    private Tensor(TensorType type, float[] floats, int[] words) {
        int length = floats != null ? floats.length : words.length;
        if (length != type.shape().count()) {
            throw new IllegalArgumentException(length + " elements for " + type);
        }
        this.type = type;
        this.floats = floats;
        this.words = words;
    }

    /** A tensor of a float type; F16 and BF16 values must be exact already. */
    public static Tensor floats(TensorType type, float[] values) {
        return new Tensor(type, values, null);
    }

    /** An F32 tensor. */
    public static Tensor f32(Shape shape, float... values) {
        return new Tensor(new TensorType(ElementType.F32, shape), values, null);
    }

    /** A tensor of I32, U32 or BOOL. */
    public static Tensor words(TensorType type, int[] values) {
        return new Tensor(type, null, values);
    }

    /** An I32 tensor. */
    public static Tensor i32(Shape shape, int... values) {
        return new Tensor(new TensorType(ElementType.I32, shape), null, values);
    }

    /** A BOOL tensor of words 0 and 1. */
    public static Tensor bool(Shape shape, int... values) {
        return new Tensor(new TensorType(ElementType.BOOL, shape), null, values);
    }

    /** Zeros. */
    public static Tensor zeros(TensorType type) {
        int n = Math.toIntExact(type.shape().count());
        return isFloat(type.element()) ? floats(type, new float[n]) : words(type, new int[n]);
    }

    static boolean isFloat(ElementType e) {
        return e.isFloat() || e == ElementType.PACKED;
    }

    /** Element type and shape. */
    public TensorType type() {
        return type;
    }

    /** The extents. */
    public Shape shape() {
        return type.shape();
    }

    /** The element type. */
    public ElementType element() {
        return type.element();
    }

    /** Number of elements. */
    public int count() {
        return floats != null ? floats.length : words.length;
    }

    /** The elements of a float tensor, not to be written. */
    public float[] floats() {
        if (floats == null) {
            throw new IllegalStateException(type + " holds words");
        }
        return floats;
    }

    /** The elements of an I32, U32 or BOOL tensor, not to be written. */
    public int[] words() {
        if (words == null) {
            throw new IllegalStateException(type + " holds floats");
        }
        return words;
    }

    /** The same elements under another type of the same kind and count. */
    Tensor as(TensorType other) {
        return new Tensor(other, floats, words);
    }

    /** The tensor whose element i is this tensor's element {@code from[i]}, or zero where that is negative. */
    Tensor pick(TensorType result, int[] from) {
        if (floats != null) {
            float[] out = new float[from.length];
            for (int i = 0; i < out.length; i++) {
                out[i] = from[i] < 0 ? 0f : floats[from[i]];
            }
            return floats(result, out);
        }
        int[] out = new int[from.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = from[i] < 0 ? 0 : words[from[i]];
        }
        return words(result, out);
    }

    /** All elements of the parts, one part after another, as one vector. */
    static Tensor join(List<Tensor> parts) {
        int n = parts.stream().mapToInt(Tensor::count).sum();
        TensorType type = TensorType.of(parts.get(0).element(), n);
        Tensor out = zeros(type);
        int at = 0;
        for (Tensor t : parts) {
            System.arraycopy(t.floats != null ? t.floats : t.words, 0, out.floats != null ? out.floats : out.words, at, t.count());
            at += t.count();
        }
        return out;
    }

    /** Equal type and bit-equal elements. */
    @Override
    public boolean equals(Object o) {
        return o instanceof Tensor t && type.equals(t.type) && Arrays.equals(floats, t.floats) && Arrays.equals(words, t.words);
    }

    @Override
    public int hashCode() {
        return 31 * type.hashCode() + Arrays.hashCode(floats) + Arrays.hashCode(words);
    }

    @Override
    public String toString() {
        return type + (floats != null ? Arrays.toString(floats) : Arrays.toString(words));
    }
}
