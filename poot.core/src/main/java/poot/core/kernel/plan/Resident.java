package poot.core.kernel.plan;

import java.util.List;
import java.util.Objects;
import poot.api.graph.ElementType;
import poot.api.graph.Weight;

/**
 * A weight on the device.
 *
 * @param parts its stored bytes, part by part
 */
public record Resident(Weight weight, List<Span> parts) {
    public Resident {
        Objects.requireNonNull(weight);
        parts = List.copyOf(parts);
    }

    /** Whether its elements lie one behind the other. */
    public boolean isDense() {
        return weight.format().encoding().isDense();
    }

    /** The element type of a dense weight. */
    public ElementType element() {
        return weight.format().encoding().element();
    }

    /** The elements of a dense weight's view. */
    public Span dense() {
        int columns = weight.stored().rank() == 0 ? 1 : weight.columns();
        long size = element().bytes();
        Span part = parts.getFirst();
        return new Span(part.home(), part.offset() + size * (weight.firstRow() * columns + weight.firstColumn()),
                size * weight.shape().count());
    }
}
