package poot.core.kernel.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import poot.api.executor.ExecutorException;
import poot.api.graph.Equation;
import poot.api.graph.Op;
import poot.api.graph.Shape;
import poot.api.graph.Value;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.device.Argument;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.generate.pointwise.Expression;
import poot.core.kernel.generate.product.ExpertProduct;

/**
 * Products of one operand with the matrices of weights [N, n, k] that indices name, one each row of the result, and what is
 * applied to their results, as one step: the matrices are read where they are stored.
 */
final class ExpertSteps {
    private final Planning to;
    private final Map<Integer, Equation> gathers = new HashMap<>();
    private final List<Equation> products = new ArrayList<>();
    private final List<Equation> applied = new ArrayList<>();
    private final List<Resident> weights = new ArrayList<>();
    private final List<WeightView> views = new ArrayList<>();

    ExpertSteps(Planning to) {
        this.to = to;
    }

    /**
     * Adds the step.
     *
     * @param equations a kernel's: gathers, products and elementwise ones
     * @param results   what others read
     * @return whether there is such a step; where there is not, nothing was added
     */
    boolean add(List<Equation> equations, List<Value> results) throws ExecutorException {
        for (Equation e : equations) {
            boolean known = switch (e.op()) {
                case Op.Gather g -> gathers.put(e.output().id(), e) == null;
                case Op.MatMul m -> m.transposed() && product(e);
                default -> Expression.takes(e.op()) && applied.add(e);
            };
            if (!known) {
                return false;
            }
        }
        if (products.isEmpty()) {
            return false;
        }
        Value x = products.getFirst().inputs().getFirst();
        Shape shape = products.getFirst().output().shape();
        long rows = shape.slice(0, shape.rank() - 1).count();
        boolean alike = to.weight(x).isEmpty() && products.stream().map(Equation::output).allMatch(v -> v.shape().equals(shape))
                && results.stream().allMatch(v -> v.shape().equals(shape));
        if (!alike || rows == 0 || rows > ExpertProduct.MOST_ROWS) {
            return false;
        }
        step(to.operand(x), (int) rows, results);
        return true;
    }

    private boolean product(Equation e) {
        Optional<Equation> gather = Optional.ofNullable(gathers.get(e.inputs().get(1).id()));
        if (!products.isEmpty() && gather.isPresent() && !(e.inputs().getFirst().equals(products.getFirst().inputs().getFirst())
                && gather.get().inputs().get(1).equals(indices()))) {
            return false;
        }
        Optional<Resident> w = gather.flatMap(g -> to.weight(g.inputs().getFirst()));
        Optional<WeightView> view = w.filter(r -> r.weight().shape().rank() == 3).flatMap(Resident::view);
        int n = e.output().shape().dim(-1);
        boolean fits = view.isPresent() && view.get().stored().rows() == n && view.get().firstRow() % n == 0
                && (views.isEmpty() || views.getFirst().rows() == view.get().rows());
        if (fits) {
            products.add(e);
            weights.add(w.get());
            views.add(view.get());
        }
        return fits;
    }

    private Value indices() {
        return gathers.get(products.getFirst().inputs().get(1).id()).inputs().get(1);
    }

    private void step(Operand x, int rows, List<Value> results) throws ExecutorException {
        List<Actual> finish = new ArrayList<>();
        Epilogue epilogue = ProductEnd.of(to, products, applied, results, finish);
        int each = rows / Math.toIntExact(x.shape().slice(0, x.shape().rank() - 1).count());
        ExpertProduct g = new ExpertProduct(x.element(), views, rows, each, epilogue);
        List<Actual> actuals = new ArrayList<>(List.of(x.span(), new Actual.Scalar(Argument.u32(rows))));
        for (int i = 0; i < weights.size(); i++) {
            actuals.addAll(weights.get(i).sources(views.get(i)));
        }
        actuals.add(to.exact(indices()).span());
        actuals.addAll(finish);
        to.call(g, g.grid(to.limits()), actuals.toArray(Actual[]::new));
    }
}
