package poot.core.kernel.plan;

import poot.api.graph.ElementType;
import poot.api.graph.Shape;

/**
 * A dense row-major value to be read.
 *
 * @param element how its elements are stored: that of the value, or a narrower float
 */
public record Operand(Span span, ElementType element, Shape shape) {
    /** Whether its memory begins at a multiple of four elements. */
    public boolean beginsAtFour() {
        return span.offset() % (4L * element.bytes()) == 0;
    }
}
