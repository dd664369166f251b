package poot.core.compile;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import poot.api.graph.Equation;
import poot.api.graph.Op;
import poot.api.graph.Shape;
import poot.api.graph.Value;

/**
 * Products of one left operand with weights, or with matrices of weights that the same indices name, and elementwise
 * equations on their results: what one result element needs of the products is the element at its own place.
 */
final class ContractionForm {
    /** Equations that depend on one another, and the shape of the products among them. */
    private static final class Part {
        private Optional<Shape> shape = Optional.empty();
        private final List<Equation> equations = new ArrayList<>();
    }

    private ContractionForm() {}

    /** Whether an equation is a product, or gathers for one. */
    static boolean multiplies(Equation e) {
        return e.op() instanceof Op.MatMul || e.op() instanceof Op.Gather;
    }

    /** Whether an equation gathers matrices of a weight. */
    static boolean gathers(Equation e, Predicate<Value> weight) {
        return e.op() instanceof Op.Gather && e.inputs().getFirst().shape().rank() == 3 && weight.test(e.inputs().getFirst());
    }

    /** Whether an equation multiplies rows with gathered matrices, of which each row of the result has one. */
    private static boolean expert(Equation e, Map<Integer, Equation> gathered) {
        if (!(e.op() instanceof Op.MatMul m) || !m.transposed() || !gathered.containsKey(e.inputs().get(1).id())
                || e.output().shape().count() == 0) {
            return false;
        }
        Equation g = gathered.get(e.inputs().get(1).id());
        Shape indices = g.inputs().get(1).shape();
        Shape x = e.inputs().getFirst().shape();
        Shape y = e.output().shape();
        return x.dim(-2) == 1 && y.slice(0, y.rank() - 2).equals(indices) && repeats(x.slice(0, x.rank() - 2), indices);
    }

    /** Whether a shape stretches to another by repeating each element some times in a row. */
    private static boolean repeats(Shape from, Shape to) {
        boolean repeated = false;
        for (int i = to.rank(); i >= 1; i--) {
            boolean same = i <= from.rank() && from.dim(-i) == to.dim(-i);
            if (repeated && (i <= from.rank() ? from.dim(-i) : 1) != 1) {
                return false;
            }
            repeated |= !same && to.dim(-i) != 1;
        }
        return true;
    }

    /** Whether an equation is a product with a weight of one matrix. */
    static boolean product(Equation e, Predicate<Value> weight) {
        return e.op() instanceof Op.MatMul m && m.transposed() && weight.test(e.inputs().get(1)) && e.output().shape().count() > 0
                && e.inputs().get(1).shape().slice(0, e.inputs().get(1).shape().rank() - 2).count() == 1;
    }

    /**
     * Whether equations, in order, are of this form.
     *
     * @param weight  whether a value is a stored weight, as stored or read
     * @param outputs of the equations, those that are read elsewhere
     */
    static boolean holds(Collection<Equation> equations, Predicate<Value> weight, Collection<Value> outputs) {
        Map<Integer, Part> parts = new HashMap<>();
        Map<Integer, Equation> gathered = new HashMap<>();
        Optional<Value> left = Optional.empty();
        int plains = 0;
        for (Equation e : equations) {
            Part own = new Part();
            if (gathers(e, weight)) {
                gathered.put(e.output().id(), e);
                continue;
            }
            boolean plain = product(e, weight);
            if (plain || expert(e, gathered)) {
                plains += plain ? 1 : 0;
                Value x = e.inputs().getFirst();
                if (parts.containsKey(x.id()) || left.isPresent() && !left.get().equals(x)) {
                    return false;
                }
                left = Optional.of(x);
                own.shape = Optional.of(e.output().shape());
            } else if (!Elementwise.is(e.op()) || !joined(own, e, parts)
                    || e.inputs().stream().anyMatch(v -> gathered.containsKey(v.id()))) {
                return false;
            }
            own.equations.add(e);
            parts.put(e.output().id(), own);
        }
        return left.isPresent() && (plains == 0 || gathered.isEmpty()) && whole(gathered.values(), parts, outputs)
                && parts.values().stream().allMatch(p -> whole(p, outputs));
    }

    /** Gathers into {@code own} the parts an elementwise equation reads; false where their products differ in shape. */
    private static boolean joined(Part own, Equation e, Map<Integer, Part> parts) {
        for (Value v : e.inputs()) {
            Part p = parts.get(v.id());
            if (p == null || p == own) {
                continue;
            }
            if (own.shape.isPresent() && p.shape.isPresent() && !own.shape.equals(p.shape)) {
                return false;
            }
            own.shape = own.shape.or(() -> p.shape);
            own.equations.addAll(p.equations);
            p.equations.forEach(inner -> parts.put(inner.output().id(), own));
        }
        return true;
    }

    /** Whether gathers have the same indices, made outside, and nothing outside reads them. */
    private static boolean whole(Collection<Equation> gathers, Map<Integer, Part> parts, Collection<Value> outputs) {
        return gathers.stream().map(g -> g.inputs().get(1)).distinct().count() <= 1
                && gathers.stream().noneMatch(g -> parts.containsKey(g.inputs().get(1).id()) || outputs.contains(g.output()));
    }

    private static boolean whole(Part p, Collection<Value> outputs) {
        return p.shape.isPresent() && p.equations.stream().map(Equation::output).allMatch(v ->
                v.shape().equals(p.shape.get()) || !outputs.contains(v) && stretches(v.shape(), p.shape.get()));
    }

    private static boolean stretches(Shape from, Shape to) {
        for (int i = 1; i <= from.rank(); i++) {
            if (i > to.rank() || from.dim(-i) != 1 && from.dim(-i) != to.dim(-i)) {
                return false;
            }
        }
        return true;
    }
}
