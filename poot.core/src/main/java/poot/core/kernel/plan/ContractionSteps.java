package poot.core.kernel.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import poot.api.executor.ExecutorException;
import poot.api.graph.Equation;
import poot.api.graph.Op;
import poot.api.graph.Shape;
import poot.api.graph.Value;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.device.Argument;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.generate.pointwise.Expression;
import poot.core.kernel.generate.product.ManyProduct;
import poot.core.kernel.generate.product.RowProducts;

/**
 * Products of one operand with stored weights of one matrix [n, k] each, and what is applied to their results. Where each
 * sequence has one row and they are few, one step, which may normalise the operand first; else a step for each part that has
 * nothing to do with the others. So it is the shape of a sequence's own part that decides, and among few sequences no number.
 */
final class ContractionSteps {
    /** Weights of one part: more would not fit the registers. */
    private static final int MOST = 3;
    /** Weights of one step. */
    private static final int MOST_TOGETHER = 8;

    private final Planning to;

    ContractionSteps(Planning to) {
        this.to = to;
    }

    /** Equations that depend on one another, and the weights of the products among them. */
    private record Part(List<Equation> products, List<Equation> applied, List<Resident> weights, List<WeightView> views) {
        Part() {
            this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }

        void take(Part other) {
            products.addAll(other.products);
            applied.addAll(other.applied);
            weights.addAll(other.weights);
            views.addAll(other.views);
        }

        boolean isEmpty() {
            return products.isEmpty() && applied.isEmpty();
        }

        Shape shape() {
            return products.getFirst().output().shape();
        }

        /** What of it others read. */
        List<Value> results(List<Value> all) {
            Set<Value> made = Stream.concat(products.stream(), applied.stream()).map(Equation::output).collect(Collectors.toSet());
            return all.stream().filter(made::contains).toList();
        }
    }

    /**
     * Adds the steps.
     *
     * @param equations products and elementwise ones, in order
     * @param results   what others read
     * @return whether there are such steps; where there are not, nothing was added
     */
    boolean add(List<Equation> equations, List<Value> results) throws ExecutorException {
        return add(equations, results, Optional.empty());
    }

    /**
     * As above, of an operand that is normalised first; its norm has no memory then, so that there is one step or none.
     */
    boolean add(List<Equation> equations, List<Value> results, Optional<NormBefore> norm) throws ExecutorException {
        Optional<List<Part>> found = parts(equations);
        if (found.isEmpty() || found.get().isEmpty() || found.get().stream().anyMatch(p -> !whole(p, results))) {
            return false;
        }
        List<Part> parts = merged(found.get());
        Value x = parts.getFirst().products().getFirst().inputs().getFirst();
        Shape shape = parts.getFirst().shape();
        int rows = Math.toIntExact(shape.slice(0, shape.rank() - 1).count());
        boolean one = parts.stream().flatMap(p -> p.products().stream()).allMatch(e -> e.inputs().getFirst().equals(x));
        boolean single = shape.rank() < 3 || shape.dim(-2) == 1;
        boolean few = single && rows <= RowProducts.FEW && parts.stream().mapToInt(p -> p.views().size()).sum() <= MOST_TOGETHER;
        boolean normalises = norm.isEmpty() || few && norm.get().fits(parts.stream().map(Part::views).toList());
        if (to.weight(x).isPresent() || !one || rows == 0 || !normalises) {
            return false;
        }
        if (few) {
            together(norm.isPresent() ? norm.get().x() : to.operand(x), norm, rows, parts, results);
        } else {
            Operand left = to.operand(x);
            for (Part p : parts) {
                many(left, rows, p, results);
            }
        }
        return true;
    }

    // ---- parts ----

    private Optional<List<Part>> parts(List<Equation> equations) {
        Map<Integer, Part> of = new HashMap<>();
        for (Equation e : equations) {
            Part own = new Part();
            for (Value v : e.inputs()) {
                Part p = of.get(v.id());
                if (p != null && p != own) {
                    own.take(p);
                    of.replaceAll((id, part) -> part == p ? own : part);
                }
            }
            boolean known = e.op() instanceof Op.MatMul m ? m.transposed() && own.isEmpty() && product(e, own)
                    : Expression.takes(e.op()) && own.applied().add(e);
            if (!known) {
                return Optional.empty();
            }
            of.put(e.output().id(), own);
        }
        Set<Part> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Part> out = new ArrayList<>();
        for (Equation e : equations) {
            Part p = of.get(e.output().id());
            if (distinct.add(p)) {
                out.add(p);
            }
        }
        return Optional.of(out);
    }

    private boolean product(Equation e, Part own) {
        Optional<Resident> w = to.weight(e.inputs().get(1));
        Optional<WeightView> view = w.filter(r -> r.weight().shape().rank() == 2).flatMap(Resident::view);
        if (view.isPresent()) {
            own.products().add(e);
            own.weights().add(w.get());
            own.views().add(view.get());
        }
        return view.isPresent();
    }

    private static boolean whole(Part p, List<Value> results) {
        return !p.products().isEmpty() && p.products().size() <= MOST
                && p.views().stream().allMatch(v -> v.rows() == p.views().getFirst().rows())
                && p.products().stream().allMatch(e -> e.output().shape().equals(p.shape()))
                && p.results(results).stream().allMatch(v -> v.shape().equals(p.shape())) && !p.results(results).isEmpty();
    }

    /** All as one where their weights are of one extent and not too many: they share what is read of the operand. */
    private static List<Part> merged(List<Part> parts) {
        boolean alike = parts.stream().allMatch(p -> p.views().getFirst().rows() == parts.getFirst().views().getFirst().rows()
                && p.shape().equals(parts.getFirst().shape())) && parts.stream().mapToInt(p -> p.views().size()).sum() <= MOST;
        if (!alike) {
            return parts;
        }
        Part all = new Part();
        parts.forEach(all::take);
        return List.of(all);
    }

    // ---- steps ----

    private void together(Operand x, Optional<NormBefore> norm, int rows, List<Part> parts, List<Value> results) throws ExecutorException {
        List<Actual> actuals = new ArrayList<>(List.of(x.span(), new Actual.Scalar(Argument.u32(rows))));
        norm.ifPresent(n -> actuals.add(n.weight().span()));
        List<RowProducts.Part> described = new ArrayList<>();
        for (Part p : parts) {
            sources(p, actuals);
            described.add(new RowProducts.Part(p.views(), end(p, results, actuals)));
        }
        RowProducts g = new RowProducts(x.element(), norm.map(NormBefore::norm), rows, described);
        to.call(g, g.grid(to.limits()), actuals.toArray(Actual[]::new));
    }

    private void many(Operand x, int rows, Part p, List<Value> results) throws ExecutorException {
        List<Actual> actuals = new ArrayList<>(List.of(x.span(), new Actual.Scalar(Argument.u32(rows))));
        sources(p, actuals);
        ManyProduct g = new ManyProduct(x.element(), p.views(), rows, to.precision(), end(p, results, actuals));
        to.call(g, g.grid(to.limits()), actuals.toArray(Actual[]::new));
    }

    private Epilogue end(Part p, List<Value> results, List<Actual> actuals) throws ExecutorException {
        return ProductEnd.of(to, p.products(), p.applied(), p.results(results), actuals);
    }

    private static void sources(Part p, List<Actual> actuals) {
        for (int i = 0; i < p.weights().size(); i++) {
            actuals.addAll(p.weights().get(i).sources(p.views().get(i)));
        }
    }
}
