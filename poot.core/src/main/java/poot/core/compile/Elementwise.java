package poot.core.compile;

import java.util.Collection;
import java.util.Optional;
import poot.api.graph.Composite;
import poot.api.graph.Equation;
import poot.api.graph.Op;
import poot.api.graph.Shape;

/** Which equations compute each element of their result from the elements at the same place. */
final class Elementwise {
    private Elementwise() {}

    static boolean is(Op op) {
        return switch (op) {
            case Op.Unary o -> true;
            case Op.Binary o -> true;
            case Op.Compare o -> true;
            case Op.Select o -> true;
            case Op.Cast o -> true;
            case Op.Composed o -> o.composite() instanceof Composite.Gated || o.composite() instanceof Composite.Activate;
            default -> false;
        };
    }

    /** The shape that every result stretches to, if there is one among them. */
    static Optional<Shape> common(Collection<Equation> equations) {
        Shape all = Shape.SCALAR;
        try {
            for (Equation e : equations) {
                all = Shape.broadcast(all, e.output().shape());
            }
        } catch (IllegalArgumentException apart) {
            return Optional.empty(); // not a fault: the shapes do not meet
        }
        Shape found = all;
        return equations.stream().anyMatch(e -> e.output().shape().equals(found)) ? Optional.of(found) : Optional.empty();
    }
}
