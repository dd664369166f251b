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
import poot.core.kernel.generate.Strided;
import poot.core.kernel.generate.pointwise.Expression;
import poot.core.kernel.generate.pointwise.Finish;
import poot.core.kernel.generate.product.ExpertProduct;
import poot.core.kernel.generate.product.WeightProduct;

/**
 * Products of one operand with stored weights of one matrix [n, k], or with the matrices of weights [N, n, k] that indices name,
 * one each row of the result, and what is applied to their results, as one step.
 */
final class ContractionSteps {
    /** Weights of one step: more would not fit the registers. */
    private static final int MOST = 3;

    private final Planning to;
    private final List<Equation> products = new ArrayList<>();
    private final List<Equation> applied = new ArrayList<>();
    private final List<Resident> weights = new ArrayList<>();
    private final List<WeightView> views = new ArrayList<>();
    private final Map<Integer, Equation> gathered = new HashMap<>();

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
            boolean known = switch (e.op()) {
                case Op.Gather g -> gathered.put(e.output().id(), e) == null;
                case Op.MatMul m -> m.transposed() && (gathered.isEmpty() ? product(e) : expert(e));
                default -> Expression.takes(e.op()) && applied.add(e);
            };
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
        if (!alike || rows == 0 || !gathered.isEmpty() && rows > ExpertProduct.MOST_ROWS) {
            return false;
        }
        step(to.operand(first.inputs().getFirst()), rows, shape, results);
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

    /** A product with whole matrices of a weight; what the compiler puts into one kernel has the same indices. */
    private boolean expert(Equation e) {
        Optional<Resident> w = Optional.ofNullable(gathered.get(e.inputs().get(1).id())).flatMap(g -> to.weight(g.inputs().getFirst()));
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

    private void step(Operand x, int rows, Shape shape, List<Value> results) throws ExecutorException {
        List<Actual> finish = new ArrayList<>();
        Epilogue epilogue = epilogue(shape, results, finish);
        List<Actual> actuals = new ArrayList<>(List.of(x.span(), new Actual.Scalar(Argument.u32(rows))));
        for (int i = 0; i < weights.size(); i++) {
            actuals.addAll(weights.get(i).sources(views.get(i)));
        }
        if (gathered.isEmpty()) {
            WeightProduct g = new WeightProduct(x.element(), views, rows, to.precision(rows), epilogue);
            actuals.addAll(finish);
            to.call(g, g.grid(to.limits()), actuals.toArray(Actual[]::new));
            return;
        }
        int each = rows / Math.toIntExact(x.shape().slice(0, x.shape().rank() - 1).count());
        ExpertProduct g = new ExpertProduct(x.element(), views, rows, each, epilogue);
        actuals.add(to.exact(gathered.get(products.getFirst().inputs().get(1).id()).inputs().get(1)).span());
        actuals.addAll(finish);
        to.call(g, g.grid(to.limits()), actuals.toArray(Actual[]::new));
    }

    private Epilogue epilogue(Shape shape, List<Value> results, List<Actual> actuals) throws ExecutorException {
        List<Value> sums = products.stream().map(Equation::output).toList();
        int columns = shape.dim(-1);
        Epilogue out = new Epilogue.Store(sums.size(), columns);
        if (!results.equals(sums)) {
            Formula f = Formula.of(to, applied, sums, results);
            Shape lead = shape.slice(0, shape.rank() - 1);
            List<int[]> strides = f.operands().stream().map(o -> Strided.stretched(o.shape(), shape)).toList();
            Strided rows = Strided.of(lead, strides);
            out = new Finish(f.expression(), sums.size(), rows, strides.stream().map(s -> s[s.length - 1]).toList(), columns);
            f.operands().forEach(o -> actuals.add(o.span()));
        }
        for (Value v : results) {
            actuals.add(to.result(v).span());
        }
        return out;
    }
}
