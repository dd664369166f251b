package poot.core.kernel.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import poot.api.executor.ExecutorException;
import poot.api.graph.Equation;
import poot.api.graph.Shape;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.generate.move.RowIndices;
import poot.core.kernel.generate.product.DecodeRows;

/** Steps that read stored weights. */
final class WeightSteps {
    private final Planning to;

    WeightSteps(Planning to) {
        this.to = to;
    }

    /** Decodes all of a weight; {@code e} is what reads it, for messages. */
    void decode(Equation e, Resident w, Operand out) throws ExecutorException {
        WeightView view = view(e, w);
        DecodeRows g = new DecodeRows(view, out.element(), false, view.rows());
        List<Actual> actuals = new ArrayList<>(w.sources(view));
        actuals.add(out.span());
        to.call(g, g.grid(to.limits()), actuals.toArray(Actual[]::new));
    }

    /**
     * Decodes the rows, or matrices, at indices.
     *
     * @param shape of the weight: [N, columns] or [N, .., columns]
     * @param count of indices
     * @return whether that is possible; where it is not, nothing was added
     */
    boolean gather(Resident w, Shape shape, Span indices, int count, Operand out) {
        Optional<WeightView> view = w.view();
        if (view.isEmpty()) {
            return false;
        }
        int each = Math.toIntExact(shape.slice(1, shape.rank() - 1).count());
        Span rows = indices;
        if (each > 1) {
            RowIndices r = new RowIndices(shape.dim(0), each, count);
            rows = to.places().scratch(4L * count * each);
            to.call(r, r.grid(to.limits()), indices, rows);
        }
        DecodeRows g = new DecodeRows(view.get(), out.element(), true, Math.multiplyExact(count, each));
        List<Actual> actuals = new ArrayList<>(w.sources(view.get()));
        actuals.add(rows);
        actuals.add(out.span());
        to.call(g, g.grid(to.limits()), actuals.toArray(Actual[]::new));
        return true;
    }

    private WeightView view(Equation e, Resident w) throws ExecutorException {
        return w.view().orElseThrow(() -> to.unsupported(e, "decoding part of a row of " + w.weight().format().encoding()));
    }
}
