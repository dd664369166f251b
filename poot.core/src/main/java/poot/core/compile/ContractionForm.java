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
 * Products of one left operand with weights, and elementwise equations on their results: what one result element needs
 * of the products is the element at its own place.
 */
final class ContractionForm {
    /** Equations that depend on one another, and the shape of the products among them. */
    private static final class Part {
        private Optional<Shape> shape = Optional.empty();
        private final List<Equation> equations = new ArrayList<>();
    }

    private ContractionForm() {}

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
        Optional<Value> left = Optional.empty();
        for (Equation e : equations) {
            Part own = new Part();
            if (product(e, weight)) {
                Value x = e.inputs().getFirst();
                if (parts.containsKey(x.id()) || left.isPresent() && !left.get().equals(x)) {
                    return false;
                }
                left = Optional.of(x);
                own.shape = Optional.of(e.output().shape());
            } else if (!Elementwise.is(e.op()) || !joined(own, e, parts)) {
                return false;
            }
            own.equations.add(e);
            parts.put(e.output().id(), own);
        }
        return left.isPresent() && parts.values().stream().allMatch(p -> whole(p, outputs));
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
