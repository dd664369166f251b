package poot.oracle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import poot.api.graph.ElementType;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.LiteralData;
import poot.api.graph.Op;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.Value;
import poot.api.graph.Weight;

/**
 * Evaluates graphs, equation by equation, composites by their bodies: the definition of every {@link Op}. Weights are
 * decoded once per oracle and kept. Arithmetic is F32 as {@link Op} says; sums, products and matrix products are
 * accumulated in double and rounded once, so they are at least as exact as any F32 order.
 */
public final class Oracle {
    /**
     * What a step gave.
     *
     * @param outputs  by name
     * @param states   by name, as the step leaves them
     * @param failures rows where a validation does not hold, by validation; empty where all hold
     */
    public record Result(Map<String, Tensor> outputs, Map<String, Tensor> states, Map<String, List<Integer>> failures) {
        /** The output of that name. */
        public Tensor output(String name) {
            return outputs.get(name);
        }
    }

    private final Function<Role, Weight> weights;
    private final Map<Role, Tensor> decoded = new HashMap<>();

    private Oracle(Function<Role, Weight> weights) {
        this.weights = weights;
    }

    /** An oracle over stored weights. */
    public static Oracle over(Function<Role, Weight> weights) {
        return new Oracle(weights);
    }

    /** An oracle over given tensors in place of stored weights. */
    public static Oracle overTensors(Map<Role, Tensor> tensors) {
        Oracle o = new Oracle(role -> null);
        o.decoded.putAll(tensors);
        return o;
    }

    /** One evaluation over stored weights; see {@link #run(Graph, Map, Map)}. */
    public static Result run(Graph graph, Function<Role, Weight> weights, Map<String, Tensor> slots, Map<String, Tensor> states) {
        return over(weights).run(graph, slots, states);
    }

    /** Evaluates a graph over its step inputs and the states as the step finds them, which are not changed. */
    public Result run(Graph graph, Map<String, Tensor> slots, Map<String, Tensor> states) {
        Map<Integer, Tensor> values = evaluate(graph, new Surroundings(slots, states, List.of()));
        Map<String, Tensor> outputs = new LinkedHashMap<>();
        graph.outputs().forEach(o -> outputs.put(o.name(), values.get(o.value().id())));
        Map<String, Tensor> after = new LinkedHashMap<>();
        graph.states().forEach(c -> after.put(c.name(), values.get(c.after().id())));
        Map<String, List<Integer>> failures = new LinkedHashMap<>();
        for (Graph.Validation v : graph.validations()) {
            int[] ok = values.get(v.ok().id()).words();
            for (int row = 0; row < ok.length; row++) {
                if (ok[row] == 0) {
                    failures.computeIfAbsent(v.what(), w -> new ArrayList<>()).add(row);
                }
            }
        }
        return new Result(outputs, after, failures);
    }

    /** What the leaves of a graph, or of a composite's body, read. */
    private record Surroundings(Map<String, Tensor> slots, Map<String, Tensor> states, List<Tensor> params) {}

    private Map<Integer, Tensor> evaluate(Graph graph, Surroundings s) {
        Map<Integer, Tensor> values = new HashMap<>();
        for (Equation e : graph.equations()) {
            List<Tensor> in = e.inputs().stream().map(v -> known(values, v, e)).toList();
            List<Tensor> out;
            try {
                out = apply(e, in, s);
            } catch (IllegalArgumentException | IllegalStateException | ArithmeticException x) {
                throw new IllegalStateException(e + ": " + x.getMessage(), x);
            }
            for (int i = 0; i < out.size(); i++) {
                Value v = e.outputs().get(i);
                if (!out.get(i).type().equals(v.type())) {
                    throw new IllegalStateException(e + " gave " + out.get(i).type());
                }
                values.put(v.id(), out.get(i));
            }
        }
        return values;
    }

    private static Tensor known(Map<Integer, Tensor> values, Value v, Equation e) {
        Tensor t = values.get(v.id());
        if (t == null) {
            throw new IllegalStateException(e + " uses %" + v.id() + " before it is defined");
        }
        return t;
    }

    private List<Tensor> apply(Equation e, List<Tensor> in, Surroundings s) {
        TensorType type = e.outputs().get(0).type();
        return switch (e.op()) {
            case Op.Const c -> List.of(weight(c));
            case Op.Slot o -> List.of(given("slot", o.name(), s.slots()));
            case Op.State o -> List.of(given("state", o.name(), s.states()));
            case Op.Param p -> List.of(s.params().get(p.index()));
            case Op.Literal l -> List.of(literal(l.data()));
            case Op.Iota i -> List.of(iota(i));
            case Op.Unary u -> List.of(unary(u, in.get(0), type));
            case Op.Binary b -> List.of(binary(b, in.get(0), in.get(1), type));
            case Op.Compare c -> List.of(compare(c, in.get(0), in.get(1), type));
            case Op.Select x -> List.of(Movement.select(in.get(0), in.get(1), in.get(2), type));
            case Op.Cast c -> List.of(cast(c, in.get(0), type));
            case Op.Reduce r -> List.of(Reductions.reduce(r, in.get(0), type));
            case Op.ArgReduce r -> List.of(Reductions.arg(r, in.get(0), type));
            case Op.TopK t -> List.of(Reductions.topK(t, in.get(0), type, e.outputs().get(1).type()));
            case Op.PrefixScan p -> List.of(Reductions.scan(p, in.get(0), type));
            case Op.MatMul m -> List.of(matMul(m, in.get(0), in.get(1), type));
            case Op.Reshape r -> List.of(in.get(0).as(type));
            case Op.Transpose t -> List.of(Movement.transpose(t, in.get(0), type));
            case Op.Slice x -> List.of(Movement.slice(x, in.get(0), type));
            case Op.Concat c -> List.of(Movement.concat(c, in, type));
            case Op.Broadcast b -> List.of(in.get(0).pick(type, Strides.broadcast(in.get(0).shape(), type.shape())));
            case Op.Pad p -> List.of(Movement.pad(p, in.get(0), type));
            case Op.Gather g -> List.of(Movement.gather(in.get(0), in.get(1), type));
            case Op.TakeAlong t -> List.of(Movement.takeAlong(in.get(0), in.get(1), type));
            case Op.ScatterUpdate u -> List.of(Movement.scatter(u, in.get(0), in.get(1), in.get(2), type));
            case Op.PackedDecode p -> List.of(in.get(0).as(type));
            case Op.RandomBits r -> List.of(randomBits(r, in.get(0), in.get(1), type));
            case Op.Composed c -> {
                Map<Integer, Tensor> inner = evaluate(c.body(), new Surroundings(Map.of(), Map.of(), in));
                yield c.body().outputs().stream().map(o -> inner.get(o.value().id())).toList();
            }
        };
    }

    // ---- leaves ----

    /** A weight's elements, decoded by its format; a constant of any element type holds the same values. */
    private Tensor weight(Op.Const c) {
        Tensor t = decoded.get(c.role());
        if (t == null) {
            t = decode(c.role(), weights.apply(c.role()));
            decoded.put(c.role(), t);
        }
        if (!t.shape().equals(c.type().shape())) {
            throw new IllegalStateException("weight " + c.role() + " is " + t.shape());
        }
        return t.as(c.type());
    }

    private static Tensor decode(Role role, Weight w) {
        if (w == null) {
            throw new IllegalStateException("no weight " + role);
        }
        int width = w.shape().rank() == 0 ? 1 : w.shape().dim(-1);
        float[] out = new float[Math.toIntExact(w.shape().count())];
        for (int row = 0; row < w.rowCount(); row++) {
            w.decode(row, 0, width, out, row * width);
        }
        return Tensor.f32(w.shape(), out);
    }

    private static Tensor given(String kind, String name, Map<String, Tensor> from) {
        Tensor t = from.get(name);
        if (t == null) {
            throw new IllegalStateException("no " + kind + " " + name + " among " + from.keySet());
        }
        return t;
    }

    private static Tensor literal(LiteralData d) {
        if (d.type().element() == ElementType.F32) {
            float[] out = new float[d.count()];
            for (int i = 0; i < out.length; i++) {
                out[i] = d.floatAt(i);
            }
            return Tensor.floats(d.type(), out);
        }
        int[] out = new int[d.count()];
        for (int i = 0; i < out.length; i++) {
            out[i] = d.bitsAt(i);
        }
        return Tensor.words(d.type(), out);
    }

    private static Tensor iota(Op.Iota op) {
        int[] strides = new int[op.shape().rank()];
        strides[op.axis()] = 1;
        return Tensor.i32(op.shape(), Strides.view(op.shape(), 0, strides));
    }

    // ---- elementwise ----

    private static Tensor unary(Op.Unary op, Tensor x, TensorType type) {
        Tensor out = Tensor.zeros(type);
        for (int i = 0; i < out.count(); i++) {
            if (op.kind() == Op.UnaryKind.IS_FINITE) {
                out.words()[i] = Float.isFinite(x.floats()[i]) ? 1 : 0;
            } else if (Tensor.isFloat(type.element())) {
                out.floats()[i] = Elementwise.unary(op.kind(), x.floats()[i]);
            } else {
                out.words()[i] = Elementwise.unary(op.kind(), x.words()[i]);
            }
        }
        return out;
    }

    private static Tensor binary(Op.Binary op, Tensor a, Tensor b, TensorType type) {
        int[] x = Strides.broadcast(a.shape(), type.shape());
        int[] y = Strides.broadcast(b.shape(), type.shape());
        Tensor out = Tensor.zeros(type);
        for (int i = 0; i < x.length; i++) {
            if (Tensor.isFloat(type.element())) {
                out.floats()[i] = Elementwise.binary(op.kind(), a.floats()[x[i]], b.floats()[y[i]]);
            } else {
                out.words()[i] = Elementwise.binary(op.kind(), type.element(), a.words()[x[i]], b.words()[y[i]]);
            }
        }
        return out;
    }

    private static Tensor compare(Op.Compare op, Tensor a, Tensor b, TensorType type) {
        int[] x = Strides.broadcast(a.shape(), type.shape());
        int[] y = Strides.broadcast(b.shape(), type.shape());
        int[] out = new int[x.length];
        for (int i = 0; i < x.length; i++) {
            boolean holds = Tensor.isFloat(a.element())
                    ? Elementwise.compare(op.kind(), a.floats()[x[i]], b.floats()[y[i]])
                    : Elementwise.compare(op.kind(), a.element(), a.words()[x[i]], b.words()[y[i]]);
            out[i] = holds ? 1 : 0;
        }
        return Tensor.words(type, out);
    }

    /** An integer becomes F16 or BF16 by way of F32. */
    private static Tensor cast(Op.Cast op, Tensor x, TensorType type) {
        boolean fromFloat = Tensor.isFloat(x.element());
        Tensor out = Tensor.zeros(type);
        for (int i = 0; i < out.count(); i++) {
            if (Tensor.isFloat(op.to())) {
                float v = fromFloat ? x.floats()[i] : Elementwise.toFloat(x.element(), x.words()[i]);
                out.floats()[i] = Elementwise.round(op.to(), v);
            } else {
                out.words()[i] = fromFloat ? Elementwise.toWord(op.to(), x.floats()[i]) : Elementwise.toWord(op.to(), x.words()[i]);
            }
        }
        return out;
    }

    // ---- contraction and randomness ----

    private static Tensor matMul(Op.MatMul op, Tensor a, Tensor b, TensorType type) {
        int rank = type.shape().rank();
        int m = type.shape().dim(-2);
        int n = type.shape().dim(-1);
        int k = a.shape().dim(-1);
        Shape lead = type.shape().slice(0, rank - 2);
        int[] x = Strides.broadcast(a.shape().slice(0, a.shape().rank() - 2), lead);
        int[] y = Strides.broadcast(b.shape().slice(0, b.shape().rank() - 2), lead);
        float[] out = new float[Math.toIntExact(type.shape().count())];
        int column = op.transposed() ? k : 1;
        int inner = op.transposed() ? 1 : n;
        float[] p = a.floats();
        float[] q = b.floats();
        for (int i = 0; i < out.length; i++) {
            int batch = i / (m * n);
            int left = (x[batch] * m + i / n % m) * k;
            int right = y[batch] * n * k + i % n * column;
            double sum = 0;
            for (int j = 0; j < k; j++) {
                sum += (double) p[left + j] * q[right + j * inner];
            }
            out[i] = (float) sum;
        }
        return Tensor.floats(type, out);
    }

    private static Tensor randomBits(Op.RandomBits op, Tensor key, Tensor counter, TensorType type) {
        int[] out = new int[Math.toIntExact(type.shape().count())];
        for (int i = 0; i < out.length; i++) {
            int row = i / op.n();
            int word = i % op.n();
            int[] k = {key.words()[2 * row], key.words()[2 * row + 1]};
            int[] c = {counter.words()[2 * row], counter.words()[2 * row + 1], word / 4, 0};
            out[i] = Philox.block(k, c)[word % 4];
        }
        return Tensor.words(type, out);
    }
}
