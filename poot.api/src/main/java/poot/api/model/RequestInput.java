package poot.api.model;

import java.util.Objects;
import poot.api.graph.ElementType;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;

/**
 * A value a request supplies and a family reads: the driver binds it by this description alone.
 *
 * @param name     what a request calls it, and the slot's name in a graph
 * @param element  F32, I32 or BOOL
 * @param extent   one value per position, or one tensor per row
 * @param value    the shape of one position's value, or of the row's tensor
 * @param pad      what padded positions and absent rows hold, as the element's number
 * @param presence whether a request may omit it
 */
public record RequestInput(String name, ElementType element, Extent extent, Shape value, double pad, Presence presence) {
    /** How many values a request gives. */
    public enum Extent { PER_POSITION, PER_ROW }

    /** Whether a request may omit an input. */
    public enum Presence {
        /** Every request gives it. */
        REQUIRED,
        /** An omitted input is filled with the pad value. */
        DEFAULTED,
        /** An omitted input is not bound: steps that carry it run another variant of the program. */
        OPTIONAL
    }

    public RequestInput {
        Objects.requireNonNull(name);
        Objects.requireNonNull(value);
        Objects.requireNonNull(presence);
        if (element != ElementType.F32 && element != ElementType.I32 && element != ElementType.BOOL) {
            throw new IllegalArgumentException("request input " + name + " of " + element);
        }
    }

    /** The slot's type at a step shape: [R, T, value..] or [R, value..]. */
    public TensorType type(StepShape s) {
        Shape lead = extent == Extent.PER_POSITION ? Shape.of(s.rows(), s.tokens()) : Shape.of(s.rows());
        return new TensorType(element, lead.concat(value));
    }
}
