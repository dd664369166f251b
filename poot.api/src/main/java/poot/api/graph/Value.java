package poot.api.graph;

import java.util.Objects;

/** One value of a graph: an id unique in its graph and a type, never data. */
public record Value(int id, TensorType type) {
    public Value {
        Objects.requireNonNull(type);
    }

    /** The extents. */
    public Shape shape() {
        return type.shape();
    }

    /** The element type. */
    public ElementType element() {
        return type.element();
    }

    @Override
    public String toString() {
        return "%" + id + ":" + type;
    }
}
