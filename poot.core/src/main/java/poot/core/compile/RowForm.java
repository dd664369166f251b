package poot.core.compile;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import poot.api.graph.Composite;
import poot.api.graph.Equation;
import poot.api.graph.Op;
import poot.api.graph.Shape;
import poot.api.graph.Value;

/**
 * Equations that can be cut into rows: part i of every result needs part i of what is made among them, and nothing else
 * of it. The number of rows is the greatest common divisor of what each equation allows.
 */
final class RowForm {
    private final UnaryOperator<Value> root;
    private final Set<Integer> inside = new HashSet<>();
    private final Set<Integer> scattered = new HashSet<>();
    private long rows;

    private RowForm(UnaryOperator<Value> root) {
        this.root = root;
    }

    /**
     * The rows of some equations, in order; empty where they are not of this form.
     *
     * @param root the value another is a view of
     */
    static Optional<Long> rows(Collection<Equation> equations, UnaryOperator<Value> root) {
        RowForm f = new RowForm(root);
        for (Equation e : equations) {
            long own = f.own(e);
            if (own <= 0) {
                return Optional.empty();
            }
            f.rows = divisor(f.rows, own);
            e.outputs().forEach(v -> f.inside.add(v.id()));
        }
        boolean read = equations.stream().anyMatch(e -> f.reads(e) > 0);
        return f.rows == 0 || read ? Optional.empty() : Optional.of(f.rows);
    }

    /** Targets and results of scatters that an equation reads, other than as the target of its own. */
    private long reads(Equation e) {
        int from = e.op() instanceof Op.ScatterUpdate ? 1 : 0;
        return e.inputs().subList(from, e.inputs().size()).stream().filter(v -> scattered.contains(root.apply(v).id())).count();
    }

    private static long divisor(long a, long b) {
        long x = a;
        long y = b;
        while (y != 0) {
            long left = x % y;
            x = y;
            y = left;
        }
        return x;
    }

    private boolean inside(Value v) {
        return inside.contains(root.apply(v).id());
    }

    /** Whether every operand but those at {@code allowed} is made elsewhere. */
    private boolean outside(Equation e, Integer... allowed) {
        List<Integer> may = List.of(allowed);
        for (int i = 0; i < e.inputs().size(); i++) {
            if (!may.contains(i) && inside(e.inputs().get(i))) {
                return false;
            }
        }
        return true;
    }

    /** The parts an equation can be cut into; 0 for one that cannot stand among rows. */
    private long own(Equation e) {
        if (Elementwise.is(e.op())) {
            return elementwise(e);
        }
        Shape first = e.inputs().isEmpty() ? Shape.SCALAR : e.inputs().getFirst().shape();
        return switch (e.op()) {
            case Op.Iota i -> e.output().shape().count();
            case Op.Reduce r -> first.slice(0, r.axis()).count();
            case Op.ArgReduce r -> first.slice(0, r.axis()).count();
            case Op.Slice s -> first.slice(0, s.axis()).count();
            case Op.Gather g -> outside(e, 1) ? e.inputs().get(1).shape().count() : 0;
            case Op.ScatterUpdate s -> scatter(s, e);
            case Op.Composed c -> switch (c.composite()) {
                case Composite.RmsNorm n -> outside(e, 0) ? lines(first) : 0;
                case Composite.LayerNorm n -> outside(e, 0) ? lines(first) : 0;
                case Composite.Rope r -> outside(e, 0) ? first.slice(0, 2).count() : 0;
                case Composite.Attention a -> 0;
                case Composite.FullAttention a -> 0;
                case Composite.Gated g -> 0;
                case Composite.Activate a -> 0;
            };
            default -> 0;
        };
    }

    private static long lines(Shape s) {
        return s.slice(0, s.rank() - 1).count();
    }

    private long scatter(Op.ScatterUpdate s, Equation e) {
        if (s.add() || !outside(e, 2) || scattered.contains(root.apply(e.inputs().getFirst()).id())) {
            return 0;
        }
        scattered.add(root.apply(e.inputs().getFirst()).id());
        scattered.add(e.output().id());
        return e.inputs().get(1).shape().count();
    }

    /** The elements before the first axis along which a value made among the equations is stretched. */
    private long elementwise(Equation e) {
        Shape out = e.output().shape();
        int agreed = out.rank();
        for (Value v : e.inputs()) {
            if (inside(v)) {
                Shape s = v.shape();
                int axis = 0;
                while (axis < agreed && s.rank() == out.rank() && s.dim(axis) == out.dim(axis)) {
                    axis++;
                }
                agreed = axis;
            }
        }
        return out.slice(0, agreed).count();
    }
}
