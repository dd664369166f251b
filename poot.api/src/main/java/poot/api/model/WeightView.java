package poot.api.model;

import java.util.Objects;
import poot.api.graph.Shape;

/** Where the weight of a role lies in a checkpoint. */
public sealed interface WeightView {
    /** The checkpoint's name of the tensor. */
    String tensor();

    /** The logical shape the role must have. */
    Shape shape();

    /** A whole tensor. */
    record Whole(String tensor, Shape shape) implements WeightView {
        public Whole {
            Objects.requireNonNull(tensor);
            Objects.requireNonNull(shape);
        }
    }

    /** Rows (of a vector: elements) {@code from} (inclusive) to {@code to} (exclusive) of a fused tensor of {@code of} rows. */
    record RowRange(String tensor, int from, int to, int of, Shape shape) implements WeightView {
        public RowRange {
            Objects.requireNonNull(tensor);
            if (from < 0 || from >= to || to > of || shape.dim(0) != to - from) {
                throw new IllegalArgumentException("rows " + from + ".." + to + " of " + of + " as " + shape);
            }
        }
    }
}
