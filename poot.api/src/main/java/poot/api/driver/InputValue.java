package poot.api.driver;

import java.util.Arrays;
import poot.api.graph.ElementType;

/**
 * A value a request supplies for one declared input: where it applies, and its elements, row-major.
 *
 * @param placement which positions the values are for
 * @param data      the elements: of one position after another, or of the row's tensor
 */
public record InputValue(Placement placement, Data data) {
    /** Where the values of an input apply. */
    public sealed interface Placement {}

    /** Every position of the prompt, in order. */
    public record Dense() implements Placement {}

    /** Some positions of the prompt, rising; the others hold the input's pad value. */
    public record Sparse(int[] positions) implements Placement {
        public Sparse {
            positions = positions.clone();
        }

        @Override
        public int[] positions() {
            return positions.clone();
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Sparse s && Arrays.equals(positions, s.positions);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(positions);
        }
    }

    /** The whole row: one tensor. */
    public record Row() implements Placement {}

    /** The elements, as raw 32-bit words: F32 bits, I32, or BOOL as 0 and 1. Immutable. */
    public static final class Data {
        private final ElementType element;
        private final int[] bits;

        private Data(ElementType element, int[] bits) {
            this.element = element;
            this.bits = bits;
        }

        /** Their type. */
        public ElementType element() {
            return element;
        }

        /** Their number. */
        public int count() {
            return bits.length;
        }

        /** The bits of the i-th. */
        public int bitsAt(int i) {
            return bits[i];
        }
    }

    /** F32 elements. */
    public static Data floats(float... values) {
        int[] bits = new int[values.length];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Float.floatToRawIntBits(values[i]);
        }
        return new Data(ElementType.F32, bits);
    }

    /** I32 elements. */
    public static Data words(int... values) {
        return new Data(ElementType.I32, values.clone());
    }

    /** BOOL elements. */
    public static Data flags(boolean... values) {
        int[] bits = new int[values.length];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = values[i] ? 1 : 0;
        }
        return new Data(ElementType.BOOL, bits);
    }

    /** A value for every position of the prompt. */
    public static InputValue dense(Data data) {
        return new InputValue(new Dense(), data);
    }

    /** A value for some positions of the prompt, which must rise. */
    public static InputValue sparse(int[] positions, Data data) {
        return new InputValue(new Sparse(positions), data);
    }

    /** One tensor for the row. */
    public static InputValue row(Data data) {
        return new InputValue(new Row(), data);
    }
}
