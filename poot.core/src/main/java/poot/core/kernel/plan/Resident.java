package poot.core.kernel.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import poot.api.graph.ElementType;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.core.kernel.decode.StoredMatrix;
import poot.core.kernel.decode.WeightSource;
import poot.core.kernel.decode.WeightView;

/**
 * A weight on the device.
 *
 * @param parts its stored bytes, part by part
 * @param book  the table its codes point into, where its encoding has one
 */
public record Resident(Weight weight, List<Span> parts, Optional<Span> book) {
    public Resident {
        Objects.requireNonNull(weight);
        Objects.requireNonNull(book);
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

    /** The whole rows that the weight is; empty where it is part of one row, or has no element. */
    Optional<WeightView> view() {
        Shape s = weight.stored();
        if (s.rank() == 0 || s.count() == 0 || weight.shape().count() == 0 || weight.firstColumn() != 0
                || weight.shape().rank() < 1 || weight.shape().dim(-1) != s.dim(-1)) {
            return Optional.empty();
        }
        int rows = s.rank() < 2 ? 1 : s.dim(-2);
        int matrices = s.rank() < 3 ? 1 : Math.toIntExact(s.slice(0, s.rank() - 2).count());
        StoredMatrix stored = new StoredMatrix(weight.format().encoding(), weight.format().scales(weight.parts(), s), matrices, rows, s.dim(-1));
        return Optional.of(new WeightView(stored, Math.toIntExact(weight.firstRow()), Math.toIntExact(weight.rowCount())));
    }

    /** What a kernel that reads the view takes. */
    List<Span> sources(WeightView view) {
        List<Span> out = new ArrayList<>();
        for (WeightSource s : view.decoder().sources()) {
            out.add(switch (s) {
                case WeightSource.Part p -> parts.get(p.index());
                case WeightSource.Book b -> book.orElseThrow();
            });
        }
        return out;
    }
}
