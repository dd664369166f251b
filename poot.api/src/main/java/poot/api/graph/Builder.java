package poot.api.graph;

import static poot.api.graph.ElementType.F32;
import static poot.api.graph.ElementType.I32;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import poot.api.graph.Op.BinaryKind;
import poot.api.graph.Op.CompareKind;
import poot.api.graph.Op.ReduceKind;
import poot.api.graph.Op.UnaryKind;

/**
 * Records operations into a graph, inferring every type as it goes. Each request is charged against the limits
 * before anything is appended. A negative axis counts from the end. Not safe for use by several threads.
 */
public final class Builder {
    /** A piece of tracing that returns one value. */
    @FunctionalInterface
    public interface Body {
        /** Records into {@code b}; {@code in} are the operands inside the body. */
        Value trace(Builder b, List<Value> in) throws TraceException;
    }

    private final Budget budget;
    private final List<Equation> equations = new ArrayList<>();
    private final List<Graph.Output> outputs = new ArrayList<>();
    private final List<Graph.Carried> states = new ArrayList<>();
    private final List<Graph.Validation> validations = new ArrayList<>();
    private final Map<Op, Value> leaves = new HashMap<>();
    private final Deque<String> scopes = new ArrayDeque<>();
    private int nextValue;

    private Builder(Budget budget) {
        this.budget = budget;
    }

    /** An empty graph under the given limits. */
    public static Builder with(TraceLimits limits) {
        return new Builder(new Budget(limits));
    }

    /** A builder that goes on after the last equation of {@code graph}, for a suffix; outputs are kept. */
    public static Builder after(Graph graph, TraceLimits limits) throws TraceException {
        Builder b = with(limits);
        for (Equation e : graph.equations()) {
            b.budget.charge(e);
            b.equations.add(e);
            if (e.inputs().isEmpty() && !(e.op() instanceof Op.Composed)) {
                b.leaves.put(e.op(), e.output());
            }
        }
        b.outputs.addAll(graph.outputs());
        b.states.addAll(graph.states());
        b.validations.addAll(graph.validations());
        b.nextValue = graph.valueBound();
        return b;
    }

    // ---- surroundings ----

    /** Everything recorded until the returned scope closes is labelled with {@code name}. */
    public Scope scope(String name) {
        scopes.addLast(name);
        return scopes::removeLast;
    }

    /** A labelled stretch of tracing, for try-with-resources. */
    @FunctionalInterface
    public interface Scope extends AutoCloseable {
        @Override
        void close();
    }

    /** A weight by role, as F32 of the given logical extents. One role is one value. */
    public Value weight(Role role, int... dims) throws TraceException {
        return leaf(new Op.Const(role, TensorType.of(F32, dims)));
    }

    /** A typed input of the step. One name is one value. */
    public Value slot(String name, TensorType type) throws TraceException {
        return leaf(new Op.Slot(name, type));
    }

    /** The value of a carried state at the step's begin. */
    public Value state(String name, TensorType type) throws TraceException {
        return leaf(new Op.State(name, type));
    }

    /** Declares the value a state has at the step's end. */
    public void carry(String name, Value before, Value after) {
        states.add(new Graph.Carried(name, before, after));
    }

    /** Declares a named result, replacing one of the same name. */
    public void output(String name, Value value) {
        outputs.removeIf(o -> o.name().equals(name));
        outputs.add(new Graph.Output(name, value));
    }

    /** Removes a named result. */
    public void dropOutput(String name) {
        outputs.removeIf(o -> o.name().equals(name));
    }

    /** Declares a condition, BOOL [R], the executor must find true for every row. */
    public void validate(String what, Value ok) {
        validations.add(new Graph.Validation(what, ok));
    }

    /** The graph recorded so far. */
    public Graph finish() {
        return new Graph(equations, outputs, states, validations);
    }

    /** Records an operation of one result. */
    public Value apply(Op op, Value... in) throws TraceException {
        return applyAll(op, List.of(in)).get(0);
    }

    /** Records an operation; the results in order. */
    public List<Value> applyAll(Op op, List<Value> in) throws TraceException {
        List<TensorType> types;
        String scope = String.join(".", scopes);
        try {
            types = Inference.infer(op, in.stream().map(Value::type).toList());
        } catch (IllegalArgumentException | ArithmeticException e) {
            String operands = String.join(", ", in.stream().map(v -> v.type().toString()).toList());
            throw new TraceException(new TraceException.IllTyped(op.getClass().getSimpleName(), operands, scope, e.getMessage()), e);
        }
        budget.charge(op, types.size());
        List<Value> out = new ArrayList<>(types.size());
        for (TensorType t : types) {
            out.add(new Value(nextValue++, t));
        }
        equations.add(new Equation(op, in, out, scope));
        return out;
    }

    /** Records {@code body} as the definition of {@code composite} applied to {@code in}. */
    public Value composite(Composite composite, List<Value> in, Body body) throws TraceException {
        Builder inner = new Builder(budget);
        List<Value> params = new ArrayList<>();
        for (int i = 0; i < in.size(); i++) {
            params.add(inner.apply(new Op.Param(i, in.get(i).type())));
        }
        inner.output("result", body.trace(inner, params));
        return applyAll(new Op.Composed(composite, inner.finish()), in).get(0);
    }

    private Value leaf(Op op) throws TraceException {
        Value known = leaves.get(op);
        if (known == null) {
            known = apply(op);
            leaves.put(op, known);
        }
        return known;
    }

    // ---- literals ----

    /** An F32 scalar. */
    public Value scalar(float x) throws TraceException {
        return literal(LiteralData.floats(Shape.SCALAR, x));
    }

    /** An I32 scalar. */
    public Value scalar(int x) throws TraceException {
        return literal(LiteralData.words(I32, Shape.SCALAR, x));
    }

    /** An F32 vector. */
    public Value vector(float... x) throws TraceException {
        return literal(LiteralData.floats(Shape.of(x.length), x));
    }

    /** Literal data. Equal literals are one value. */
    public Value literal(LiteralData data) throws TraceException {
        return leaf(new Op.Literal(data));
    }

    /** 0, 1, 2 … along {@code axis} of an I32 tensor of the given shape. */
    public Value iota(Shape shape, int axis) throws TraceException {
        return apply(new Op.Iota(shape, shape.axis(axis)));
    }

    // ---- elementwise ----

    /** One operand, elementwise. */
    public Value unary(UnaryKind kind, Value x) throws TraceException {
        return apply(new Op.Unary(kind), x);
    }

    /** Two operands, elementwise, broadcast. */
    public Value binary(BinaryKind kind, Value a, Value b) throws TraceException {
        return apply(new Op.Binary(kind), a, b);
    }

    /** Two operands compared, broadcast, to BOOL. */
    public Value compare(CompareKind kind, Value a, Value b) throws TraceException {
        return apply(new Op.Compare(kind), a, b);
    }

    public Value add(Value a, Value b) throws TraceException {
        return binary(BinaryKind.ADD, a, b);
    }

    public Value add(Value a, float b) throws TraceException {
        return add(a, scalar(b));
    }

    public Value sub(Value a, Value b) throws TraceException {
        return binary(BinaryKind.SUB, a, b);
    }

    public Value mul(Value a, Value b) throws TraceException {
        return binary(BinaryKind.MUL, a, b);
    }

    public Value mul(Value a, float b) throws TraceException {
        return mul(a, scalar(b));
    }

    public Value div(Value a, Value b) throws TraceException {
        return binary(BinaryKind.DIV, a, b);
    }

    public Value max(Value a, Value b) throws TraceException {
        return binary(BinaryKind.MAX, a, b);
    }

    public Value min(Value a, Value b) throws TraceException {
        return binary(BinaryKind.MIN, a, b);
    }

    public Value and(Value a, Value b) throws TraceException {
        return binary(BinaryKind.AND, a, b);
    }

    public Value or(Value a, Value b) throws TraceException {
        return binary(BinaryKind.OR, a, b);
    }

    public Value neg(Value x) throws TraceException {
        return unary(UnaryKind.NEG, x);
    }

    public Value exp(Value x) throws TraceException {
        return unary(UnaryKind.EXP, x);
    }

    public Value log(Value x) throws TraceException {
        return unary(UnaryKind.LOG, x);
    }

    public Value tanh(Value x) throws TraceException {
        return unary(UnaryKind.TANH, x);
    }

    public Value sqrt(Value x) throws TraceException {
        return unary(UnaryKind.SQRT, x);
    }

    public Value square(Value x) throws TraceException {
        return mul(x, x);
    }

    /** The condition's choice between two values. */
    public Value select(Value condition, Value a, Value b) throws TraceException {
        return apply(new Op.Select(), condition, a, b);
    }

    /** Conversion of each element; the operand itself when it already has the type. */
    public Value cast(Value x, ElementType to) throws TraceException {
        return x.element() == to ? x : apply(new Op.Cast(to), x);
    }

    // ---- reductions ----

    /** Reduction of one axis to extent 1. */
    public Value reduce(ReduceKind kind, Value x, int axis) throws TraceException {
        return apply(new Op.Reduce(kind, x.shape().axis(axis)), x);
    }

    public Value sum(Value x, int axis) throws TraceException {
        return reduce(ReduceKind.SUM, x, axis);
    }

    public Value maximum(Value x, int axis) throws TraceException {
        return reduce(ReduceKind.MAX, x, axis);
    }

    /** The mean over one axis, which stays with extent 1. */
    public Value mean(Value x, int axis) throws TraceException {
        return div(sum(x, axis), scalar((float) x.shape().dim(axis)));
    }

    /** Index of the first largest element of one axis, reduced to extent 1. */
    public Value argMax(Value x, int axis) throws TraceException {
        return apply(new Op.ArgReduce(true, x.shape().axis(axis)), x);
    }

    /** The k largest of the last axis: values, then indices. */
    public List<Value> topK(Value x, int k) throws TraceException {
        return applyAll(new Op.TopK(k), List.of(x));
    }

    /** Running sum along one axis. */
    public Value cumulativeSum(Value x, int axis, boolean exclusive) throws TraceException {
        return apply(new Op.PrefixScan(ReduceKind.SUM, x.shape().axis(axis), exclusive), x);
    }

    // ---- contraction and movement ----

    /** a [.., M, K] times b [.., K, N]. */
    public Value matMul(Value a, Value b) throws TraceException {
        return apply(new Op.MatMul(false), a, b);
    }

    /** a [.., M, K] times the transpose of b [.., N, K]. */
    public Value matMulTransposed(Value a, Value b) throws TraceException {
        return apply(new Op.MatMul(true), a, b);
    }

    public Value reshape(Value x, int... dims) throws TraceException {
        return x.shape().equals(Shape.of(dims)) ? x : apply(new Op.Reshape(Shape.of(dims)), x);
    }

    public Value transpose(Value x, Integer... order) throws TraceException {
        return apply(new Op.Transpose(List.of(order)), x);
    }

    public Value slice(Value x, int axis, int from, int to) throws TraceException {
        return apply(new Op.Slice(x.shape().axis(axis), from, to), x);
    }

    public Value concat(int axis, Value... parts) throws TraceException {
        return apply(new Op.Concat(parts[0].shape().axis(axis)), parts);
    }

    public Value broadcast(Value x, Shape shape) throws TraceException {
        return x.shape().equals(shape) ? x : apply(new Op.Broadcast(shape), x);
    }

    /** Rows of {@code data} by index. */
    public Value gather(Value data, Value indices) throws TraceException {
        return apply(new Op.Gather(), data, indices);
    }

    /** Elements of the last axis by index. */
    public Value takeAlong(Value data, Value indices) throws TraceException {
        return apply(new Op.TakeAlong(), data, indices);
    }

    /** {@code operand} with rows replaced. */
    public Value scatter(Value operand, Value indices, Value updates) throws TraceException {
        return apply(new Op.ScatterUpdate(false), operand, indices, updates);
    }

    /** {@code operand} with rows added to. */
    public Value scatterAdd(Value operand, Value indices, Value updates) throws TraceException {
        return apply(new Op.ScatterUpdate(true), operand, indices, updates);
    }

    /** Counter-based random words; see {@link Op.RandomBits}. */
    public Value randomBits(Value key, Value counter, int n) throws TraceException {
        return apply(new Op.RandomBits(n), key, counter);
    }
}
