package poot.core.compile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import poot.api.graph.Composite;
import poot.api.graph.ElementType;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Inference;
import poot.api.graph.LiteralData;
import poot.api.graph.Op;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.Value;

/**
 * {@code gather(f(a, w), i)  ->  i in range ? f(gather(a, i), w) : 0}, where f computes each row from that row alone,
 * nothing else reads f(a, w), fewer rows are gathered than there are, and a product is among what is saved. Of a prompt only
 * the last token is read behind the last attention. Bit-exact.
 */
record GatherEarlier() implements Pass {
    @Override
    public Graph apply(Graph graph) {
        Graph g = graph;
        Set<Integer> done = new HashSet<>();
        Optional<Equation> next = next(g, done);
        while (next.isPresent()) {
            g = new Narrowing(g, next.get()).apply();
            next = next(g, done);
        }
        return g;
    }

    /** A gather that was not looked at yet; those this pass makes stand before values it leaves alone. */
    private static Optional<Equation> next(Graph g, Set<Integer> done) {
        return g.equations().stream().filter(e -> e.op() instanceof Op.Gather && done.add(e.output().id())).findFirst();
    }

    /** One gather and what is computed for it. */
    private static final class Narrowing {
        private final Graph graph;
        private final Equation gather;
        private final Value data;
        private final int n;
        private final Set<Equation> narrowed = Collections.newSetFromMap(new IdentityHashMap<>());
        private final Set<Integer> wanted = new HashSet<>();
        private final Map<Integer, Value> rows = new HashMap<>();

        Narrowing(Graph graph, Equation gather) {
            this.graph = graph;
            this.gather = gather;
            this.data = gather.inputs().getFirst();
            this.n = Math.toIntExact(gather.inputs().get(1).shape().count());
        }

        Graph apply() {
            if (data.shape().rank() != 2 || data.element() != ElementType.F32 || n == 0 || n >= data.shape().dim(0)) {
                return graph;
            }
            collect();
            return narrowed.stream().anyMatch(e -> e.op() instanceof Op.MatMul) ? rewritten() : graph;
        }

        /** Finds, from the gather back, what may be computed for its rows alone. */
        private void collect() {
            Map<Integer, Integer> users = new HashMap<>();
            graph.equations().forEach(e -> e.inputs().forEach(v -> users.merge(v.id(), 1, Integer::sum)));
            graph.outputs().forEach(o -> users.merge(o.value().id(), 1, Integer::sum));
            graph.states().forEach(c -> users.merge(c.after().id(), 1, Integer::sum));
            graph.validations().forEach(v -> users.merge(v.ok().id(), 1, Integer::sum));
            Map<Integer, Integer> mine = new HashMap<>();
            mine.merge(data.id(), 1, Integer::sum);
            wanted.add(data.id());
            for (Equation e : graph.equations().reversed()) {
                boolean all = e.outputs().size() == 1 && wanted.contains(e.output().id())
                        && mine.get(e.output().id()).equals(users.get(e.output().id()));
                if (all && rowwise(e)) {
                    narrowed.add(e);
                    e.inputs().forEach(v -> mine.merge(v.id(), 1, Integer::sum));
                    rowOperands(e).forEach(v -> wanted.add(v.id()));
                }
            }
        }

        private Graph rewritten() {
            Rewrite r = new Rewrite(graph);
            for (Equation original : graph.equations()) {
                if (original == gather) {
                    early(r);
                } else if (!narrowed.contains(original)) {
                    r.emit(r.of(original));
                }
            }
            return r.finish();
        }

        /** In place of the gather: the rows wanted of what stays, then what was narrowed over them. */
        private void early(Rewrite r) {
            Value index = r.append(new Op.Reshape(Shape.of(n)), List.of(r.of(gather.inputs().get(1))),
                    new TensorType(ElementType.I32, Shape.of(n)), gather.scope());
            for (Equation e : graph.equations()) {
                if (e == gather) {
                    break;
                }
                for (Value v : e.outputs()) {
                    if (narrowed.contains(e)) {
                        List<Value> mine = rowOperands(e);
                        List<Value> in = e.inputs().stream().map(u -> mine.contains(u) ? rows.get(u.id()) : r.of(u)).toList();
                        rows.put(v.id(), narrow(r, e, in));
                    } else if (wanted.contains(v.id())) {
                        rows.put(v.id(), gathered(r, v, index));
                    }
                }
            }
            r.replace(gather.output(), masked(r, rows.get(data.id()), index));
        }

        private Value gathered(Rewrite r, Value v, Value index) {
            int last = v.shape().dim(-1);
            int all = Math.toIntExact(v.shape().count() / last);
            Value flat = append(r, new Op.Reshape(Shape.of(all, last)), r.of(v));
            return append(r, new Op.Reshape(shape(v)), append(r, new Op.Gather(), flat, index));
        }

        private Value narrow(Rewrite r, Equation e, List<Value> in) {
            Op op = switch (e.op()) {
                case Op.Reshape s -> new Op.Reshape(shape(e.output()));
                case Op.Composed c -> new Op.Composed(c.composite(), body(c.body(), in));
                default -> e.op();
            };
            return r.append(op, in, Inference.infer(op, in.stream().map(Value::type).toList()).getFirst(), e.scope());
        }

        /** The result where the index is one of a row, else what a gather gives: zeros. */
        private Value masked(Rewrite r, Value result, Value index) {
            Value column = append(r, new Op.Reshape(Shape.of(n, 1)), index);
            Value first = append(r, new Op.Literal(LiteralData.words(ElementType.I32, Shape.SCALAR, 0)));
            Value end = append(r, new Op.Literal(LiteralData.words(ElementType.I32, Shape.SCALAR, data.shape().dim(0))));
            Value zero = append(r, new Op.Literal(LiteralData.floats(Shape.SCALAR, 0)));
            Value below = append(r, new Op.Compare(Op.CompareKind.LT), column, end);
            Value above = append(r, new Op.Compare(Op.CompareKind.GE), column, first);
            Value inside = append(r, new Op.Select(), above, append(r, new Op.Select(), below, result, zero), zero);
            return append(r, new Op.Reshape(gather.output().shape()), inside);
        }

        private Value append(Rewrite r, Op op, Value... in) {
            List<Value> operands = List.of(in);
            TensorType type = Inference.infer(op, operands.stream().map(Value::type).toList()).getFirst();
            return r.append(op, operands, type, gather.scope());
        }

        /**
         * The extents of the wanted rows of {@code v}: as many axes, the first of them the rows, as of sequences of one token
         * each. Backends that ask how many tokens of a sequence there are must not take them for those of one.
         */
        private Shape shape(Value v) {
            int[] dims = v.shape().dims();
            for (int i = 1; i < dims.length - 1; i++) {
                dims[i] = 1;
            }
            dims[0] = n;
            return Shape.of(dims);
        }

        /** The body of a composite over operands of other extents. */
        private static Graph body(Graph body, List<Value> in) {
            Map<Integer, Value> typed = new HashMap<>();
            List<Equation> equations = new ArrayList<>();
            for (Equation e : body.equations()) {
                Op op = e.op() instanceof Op.Param p ? new Op.Param(p.index(), in.get(p.index()).type()) : e.op();
                List<Value> operands = e.inputs().stream().map(v -> typed.get(v.id())).toList();
                TensorType type = Inference.infer(op, operands.stream().map(Value::type).toList()).getFirst();
                Value out = new Value(e.output().id(), type);
                typed.put(out.id(), out);
                equations.add(new Equation(op, operands, List.of(out), e.scope()));
            }
            List<Graph.Output> outputs =
                    body.outputs().stream().map(o -> new Graph.Output(o.name(), typed.get(o.value().id()))).toList();
            return new Graph(equations, outputs, List.of(), List.of());
        }
    }

    // ---- what computes each row from that row alone ----

    /** The operands that have the rows of the result; the others are the same for every row. */
    private static List<Value> rowOperands(Equation e) {
        return switch (e.op()) {
            case Op.MatMul o -> List.of(e.inputs().getFirst());
            case Op.Reshape o -> e.inputs();
            default -> e.inputs().stream().filter(v -> sameRows(v, e.output())).toList();
        };
    }

    private static boolean rowwise(Equation e) {
        Value out = e.output();
        if (out.shape().rank() < 2 || out.shape().count() == 0) {
            return false;
        }
        return switch (e.op()) {
            case Op.Unary o -> true;
            case Op.Cast o -> true;
            case Op.Binary o -> sameRows(e);
            case Op.Compare o -> sameRows(e);
            case Op.Select o -> sameRows(e);
            case Op.Reduce o -> o.axis() == out.shape().rank() - 1;
            case Op.MatMul o -> sameRows(e.inputs().getFirst(), out) && e.inputs().get(1).shape().rank() == 2;
            case Op.Reshape o -> e.inputs().getFirst().shape().rank() >= 2
                    && e.inputs().getFirst().shape().dim(-1) == out.shape().dim(-1);
            case Op.Composed c -> sameRows(e) && composite(c);
            default -> false;
        };
    }

    /** Every operand has the result's axes but the last, or one row for all. */
    private static boolean sameRows(Equation e) {
        return e.inputs().stream().allMatch(v -> sameRows(v, e.output()) || v.shape().rank() == 0
                || v.shape().count() == v.shape().dim(-1));
    }

    private static boolean sameRows(Value v, Value result) {
        int rank = result.shape().rank();
        return v.shape().rank() == rank && v.shape().slice(0, rank - 1).equals(result.shape().slice(0, rank - 1));
    }

    private static boolean composite(Op.Composed c) {
        return switch (c.composite()) {
            case Composite.RmsNorm o -> plain(c.body());
            case Composite.LayerNorm o -> plain(c.body());
            case Composite.Gated o -> plain(c.body());
            case Composite.Activate o -> plain(c.body());
            case Composite.Rope o -> false;
            case Composite.Attention o -> false;
            case Composite.FullAttention o -> false;
        };
    }

    /** Whether a body names no extents, so that it serves any. */
    private static boolean plain(Graph body) {
        return body.equations().stream().allMatch(e -> e.outputs().size() == 1 && switch (e.op()) {
            case Op.Param o -> true;
            case Op.Literal o -> true;
            case Op.Unary o -> true;
            case Op.Binary o -> true;
            case Op.Compare o -> true;
            case Op.Select o -> true;
            case Op.Cast o -> true;
            case Op.Reduce o -> true;
            default -> false;
        });
    }
}
