package poot.core.kernel.plan;

import java.util.ArrayList;
import java.util.List;
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
import poot.core.kernel.generate.product.WeightProduct;

/** Products of one operand with stored weights of one matrix [n, k], and what is applied to their results, as one step. */
final class ContractionSteps {
    /** Weights of one step: more would not fit the registers. */
    private static final int MOST = 3;

    private final Planning to;
    private final List<Equation> products = new ArrayList<>();
    private final List<Equation> applied = new ArrayList<>();
    private final List<Resident> weights = new ArrayList<>();
    private final List<WeightView> views = new ArrayList<>();

    ContractionSteps(Planning to) {
        this.to = to;
    }

    /**
     * Adds the step.
     *
     * @param equations products and elementwise ones
     * @param results   what others read
     * @return whether there is such a step; where there is not, nothing was added
     */
    boolean add(List<Equation> equations, List<Value> results) throws ExecutorException {
        for (Equation e : equations) {
            boolean known = e.op() instanceof Op.MatMul m ? m.transposed() && product(e) : Expression.takes(e.op()) && applied.add(e);
            if (!known) {
                return false;
            }
        }
        if (products.isEmpty() || products.size() > MOST) {
            return false;
        }
        Equation first = products.getFirst();
        Shape shape = first.output().shape();
        boolean alike = to.weight(first.inputs().getFirst()).isEmpty() && products.stream().allMatch(e -> e.inputs().getFirst().equals(first.inputs().getFirst()) && e.output().shape().equals(shape))
                && results.stream().allMatch(v -> v.shape().equals(shape));
        int rows = Math.toIntExact(shape.slice(0, shape.rank() - 1).count());
        if (!alike || rows == 0) {
            return false;
        }
        step(to.operand(first.inputs().getFirst()), rows, results);
        return true;
    }

    private boolean product(Equation e) {
        Optional<Resident> w = to.weight(e.inputs().get(1));
        Optional<WeightView> view = w.filter(r -> r.weight().shape().rank() == 2).flatMap(Resident::view);
        boolean fits = view.isPresent() && (views.isEmpty() || views.getFirst().rows() == view.get().rows());
        if (fits) {
            products.add(e);
            weights.add(w.get());
            views.add(view.get());
        }
        return fits;
    }

    private void step(Operand x, int rows, List<Value> results) throws ExecutorException {
        List<Actual> finish = new ArrayList<>();
        Epilogue epilogue = ProductEnd.of(to, products, applied, results, finish);
        WeightProduct g = new WeightProduct(x.element(), views, rows, to.precision(rows), epilogue);
        List<Actual> actuals = new ArrayList<>(List.of(x.span(), new Actual.Scalar(Argument.u32(rows))));
        for (int i = 0; i < weights.size(); i++) {
            actuals.addAll(weights.get(i).sources(views.get(i)));
        }
        actuals.addAll(finish);
        to.call(g, g.grid(to.limits()), actuals.toArray(Actual[]::new));
    }
}
