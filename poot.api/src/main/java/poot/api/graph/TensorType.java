package poot.api.graph;

import java.util.Locale;
import java.util.Objects;

/** The type of a graph value: what an element is and how many there are along each axis. */
public record TensorType(ElementType element, Shape shape) {
    public TensorType {
        Objects.requireNonNull(element);
        Objects.requireNonNull(shape);
    }

    /** A type of the given element and extents. */
    public static TensorType of(ElementType element, int... dims) {
        return new TensorType(element, Shape.of(dims));
    }

    /** This type with other extents. */
    public TensorType with(Shape other) {
        return new TensorType(element, other);
    }

    /** This type with another element. */
    public TensorType with(ElementType other) {
        return new TensorType(other, shape);
    }

    /** Bytes of the dense row-major tensor; 0 for {@link ElementType#PACKED}. */
    public long bytes() {
        return shape.count() * element.bytes();
    }

    @Override
    public String toString() {
        return element.name().toLowerCase(Locale.ROOT) + shape;
    }
}
