package poot.api.model;

import java.util.Objects;
import poot.api.graph.ElementType;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;

/**
 * A carried state of a program.
 *
 * @param name   the state's name in a graph
 * @param extent what its first axis counts
 * @param unit   the shape of one unit
 */
public record StateSpec(String name, Extent extent, Shape unit) {
    /** What the first axis of a state counts. */
    public enum Extent {
        /** Cache slots, one position each, in the step's key/value element type. */
        KV_SLOTS,
        /** Sequences, in F32: a recurrent state or a hidden-state carry. */
        SEQUENCES
    }

    public StateSpec {
        Objects.requireNonNull(name);
        Objects.requireNonNull(extent);
        Objects.requireNonNull(unit);
    }

    /** The state's type at a step shape. */
    public TensorType type(StepShape s) {
        return switch (extent) {
            case KV_SLOTS -> new TensorType(s.kv(), Shape.of(s.kvSlots()).concat(unit));
            case SEQUENCES -> new TensorType(ElementType.F32, Shape.of(s.layout().sequences()).concat(unit));
        };
    }
}
