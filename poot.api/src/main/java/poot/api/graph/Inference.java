package poot.api.graph;

import static poot.api.graph.ElementType.BOOL;
import static poot.api.graph.ElementType.F32;
import static poot.api.graph.ElementType.I32;
import static poot.api.graph.ElementType.PACKED;
import static poot.api.graph.ElementType.U32;

import java.util.ArrayList;
import java.util.List;

/**
 * The types of an operation's results from the types of its operands: one exhaustive switch.
 * An {@link IllegalArgumentException} says which rule the operands break.
 */
public final class Inference {
    private Inference() {}

    /** The result types of {@code op}. */
    public static List<TensorType> infer(Op op, List<TensorType> in) {
        arity(op, in.size());
        return switch (op) {
            case Op.Const c -> List.of(c.type());
            case Op.Slot s -> List.of(s.type());
            case Op.State s -> List.of(s.type());
            case Op.Param p -> List.of(p.type());
            case Op.Literal l -> List.of(l.data().type());
            case Op.Iota i -> {
                i.shape().axis(i.axis());
                yield List.of(new TensorType(I32, i.shape()));
            }
            case Op.Unary u -> List.of(unary(u.kind(), in.get(0)));
            case Op.Binary b -> List.of(binary(b.kind(), in.get(0), in.get(1)));
            case Op.Compare c -> List.of(new TensorType(BOOL, same(in.get(0), in.get(1))));
            case Op.Select s -> List.of(select(in));
            case Op.Cast c -> List.of(cast(c, in.get(0)));
            case Op.Reduce r -> List.of(reduced(number(in.get(0)), r.axis()));
            case Op.ArgReduce r -> List.of(reduced(number(in.get(0)), r.axis()).with(I32));
            case Op.TopK t -> topK(t, number(in.get(0)));
            case Op.PrefixScan p -> {
                in.get(0).shape().dim(p.axis());
                yield List.of(number(in.get(0)));
            }
            case Op.MatMul m -> List.of(matMul(m, in.get(0), in.get(1)));
            case Op.Reshape r -> List.of(reshape(r, in.get(0)));
            case Op.Transpose t -> List.of(transpose(t, in.get(0)));
            case Op.Slice s -> List.of(slice(s, in.get(0)));
            case Op.Concat c -> List.of(concat(c, in));
            case Op.Broadcast b -> {
                require(Shape.broadcast(in.get(0).shape(), b.shape()).equals(b.shape()), "does not stretch to " + b.shape());
                yield List.of(in.get(0).with(b.shape()));
            }
            case Op.Pad p -> {
                require(p.before() >= 0 && p.after() >= 0, "negative padding");
                Shape s = in.get(0).shape();
                int extent = Math.addExact(Math.addExact(s.dim(p.axis()), p.before()), p.after());
                yield List.of(in.get(0).with(s.with(p.axis(), extent)));
            }
            case Op.Gather g -> List.of(gather(in.get(0), in.get(1)));
            case Op.TakeAlong t -> List.of(takeAlong(in.get(0), in.get(1)));
            case Op.ScatterUpdate s -> List.of(scatter(s, in));
            case Op.PackedDecode p -> {
                require(in.get(0).element() == PACKED, "operand is not packed");
                yield List.of(in.get(0).with(F32));
            }
            case Op.RandomBits r -> List.of(randomBits(r, in.get(0), in.get(1)));
            case Op.Composed c -> composed(c, in);
        };
    }

    private static void arity(Op op, int n) {
        int expected = switch (op) {
            case Op.Const c -> 0;
            case Op.Slot s -> 0;
            case Op.State s -> 0;
            case Op.Param p -> 0;
            case Op.Literal l -> 0;
            case Op.Iota i -> 0;
            case Op.Unary u -> 1;
            case Op.Cast c -> 1;
            case Op.Reduce r -> 1;
            case Op.ArgReduce r -> 1;
            case Op.TopK t -> 1;
            case Op.PrefixScan p -> 1;
            case Op.Reshape r -> 1;
            case Op.Transpose t -> 1;
            case Op.Slice s -> 1;
            case Op.Broadcast b -> 1;
            case Op.Pad p -> 1;
            case Op.PackedDecode p -> 1;
            case Op.Binary b -> 2;
            case Op.Compare c -> 2;
            case Op.MatMul m -> 2;
            case Op.Gather g -> 2;
            case Op.TakeAlong t -> 2;
            case Op.RandomBits r -> 2;
            case Op.Select s -> 3;
            case Op.ScatterUpdate s -> 3;
            case Op.Concat c -> Math.max(1, n);
            case Op.Composed c -> c.body().equations().stream().mapToInt(e -> e.op() instanceof Op.Param ? 1 : 0).sum();
        };
        require(n == expected, "takes " + expected + " operands, not " + n);
    }

    private static TensorType unary(Op.UnaryKind kind, TensorType t) {
        return switch (kind) {
            case NEG, ABS -> {
                require(t.element() == F32 || t.element() == I32, "needs f32 or i32");
                yield t;
            }
            case EXP, LOG, SIN, COS, TANH, ERF, SQRT, RECIPROCAL, FLOOR -> {
                require(t.element() == F32, "needs f32");
                yield t;
            }
            case NOT -> {
                require(t.element() == BOOL, "needs bool");
                yield t;
            }
            case IS_FINITE -> {
                require(t.element() == F32, "needs f32");
                yield t.with(BOOL);
            }
        };
    }

    private static TensorType binary(Op.BinaryKind kind, TensorType a, TensorType b) {
        Shape shape = same(a, b);
        ElementType e = a.element();
        boolean allowed = switch (kind) {
            case ADD, SUB, MUL -> e == F32 || e == I32 || e == U32;
            case DIV, REMAINDER, MIN, MAX -> e == F32 || e == I32;
            case POW -> e == F32;
            case AND, OR, XOR -> e == BOOL || e == I32 || e == U32;
            case SHIFT_LEFT, SHIFT_RIGHT -> e == I32 || e == U32;
        };
        require(allowed, kind + " of " + e);
        return new TensorType(e, shape);
    }

    private static Shape same(TensorType a, TensorType b) {
        require(a.element() == b.element(), "element types differ");
        require(a.element() != PACKED, "packed elements are only decoded");
        return Shape.broadcast(a.shape(), b.shape());
    }

    private static TensorType select(List<TensorType> in) {
        require(in.get(0).element() == BOOL, "condition is not bool");
        Shape branches = same(in.get(1), in.get(2));
        return new TensorType(in.get(1).element(), Shape.broadcast(in.get(0).shape(), branches));
    }

    private static TensorType cast(Op.Cast c, TensorType t) {
        require(t.element() != PACKED && c.to() != PACKED, "packed elements are only decoded");
        return t.with(c.to());
    }

    private static TensorType number(TensorType t) {
        require(t.element() == F32 || t.element() == I32, "needs f32 or i32");
        return t;
    }

    private static TensorType reduced(TensorType t, int axis) {
        require(axis >= 0 && axis < t.shape().rank(), "no axis " + axis);
        require(t.shape().dim(axis) > 0, "reduces an empty axis");
        return t.with(t.shape().with(axis, 1));
    }

    private static List<TensorType> topK(Op.TopK t, TensorType x) {
        require(x.shape().rank() > 0 && t.k() >= 1 && t.k() <= x.shape().dim(-1), "k is " + t.k());
        TensorType values = x.with(x.shape().with(-1, t.k()));
        return List.of(values, values.with(I32));
    }

    private static TensorType matMul(Op.MatMul m, TensorType a, TensorType b) {
        require(a.element() == F32 && b.element() == F32, "needs f32");
        Shape x = a.shape();
        Shape y = b.shape();
        require(x.rank() >= 2 && y.rank() >= 2, "needs two axes");
        int inner = m.transposed() ? y.dim(-1) : y.dim(-2);
        int outer = m.transposed() ? y.dim(-2) : y.dim(-1);
        require(x.dim(-1) == inner, "inner extents differ");
        Shape lead = Shape.broadcast(x.slice(0, x.rank() - 2), y.slice(0, y.rank() - 2));
        return a.with(lead.concat(Shape.of(x.dim(-2), outer)));
    }

    private static TensorType reshape(Op.Reshape r, TensorType t) {
        require(t.element() != PACKED, "packed elements are only decoded");
        require(r.shape().count() == t.shape().count(), "cannot become " + r.shape());
        return t.with(r.shape());
    }

    private static TensorType transpose(Op.Transpose t, TensorType x) {
        int rank = x.shape().rank();
        require(t.order().size() == rank && t.order().stream().distinct().count() == rank
                && t.order().stream().allMatch(a -> a >= 0 && a < rank), "order is " + t.order());
        return x.with(Shape.of(t.order().stream().mapToInt(x.shape()::dim).toArray()));
    }

    private static TensorType slice(Op.Slice s, TensorType x) {
        require(s.axis() >= 0 && s.axis() < x.shape().rank(), "no axis " + s.axis());
        require(s.from() >= 0 && s.from() <= s.to() && s.to() <= x.shape().dim(s.axis()),
                "range " + s.from() + ".." + s.to());
        return x.with(x.shape().with(s.axis(), s.to() - s.from()));
    }

    private static TensorType concat(Op.Concat c, List<TensorType> in) {
        TensorType first = in.get(0);
        require(c.axis() >= 0 && c.axis() < first.shape().rank(), "no axis " + c.axis());
        int extent = 0;
        for (TensorType t : in) {
            require(t.element() == first.element() && t.shape().rank() == first.shape().rank()
                    && t.shape().with(c.axis(), 1).equals(first.shape().with(c.axis(), 1)), "operands do not line up");
            extent = Math.addExact(extent, t.shape().dim(c.axis()));
        }
        return first.with(first.shape().with(c.axis(), extent));
    }

    private static TensorType gather(TensorType data, TensorType indices) {
        require(indices.element() == I32, "indices are not i32");
        require(data.shape().rank() >= 1, "data has no axis");
        return data.with(indices.shape().concat(data.shape().slice(1, data.shape().rank())));
    }

    private static TensorType takeAlong(TensorType data, TensorType indices) {
        require(indices.element() == I32, "indices are not i32");
        int rank = data.shape().rank();
        require(rank >= 1 && indices.shape().rank() == rank
                && data.shape().slice(0, rank - 1).equals(indices.shape().slice(0, rank - 1)), "leading axes differ");
        return data.with(indices.shape());
    }

    private static TensorType scatter(Op.ScatterUpdate s, List<TensorType> in) {
        TensorType operand = in.get(0);
        TensorType updates = in.get(2);
        require(in.get(1).element() == I32, "indices are not i32");
        require(operand.element() == updates.element(), "element types differ");
        require(!s.add() || operand.element() == F32 || operand.element() == I32, "adds f32 or i32 only");
        require(operand.shape().rank() >= 1, "operand has no axis");
        Shape rows = in.get(1).shape().concat(operand.shape().slice(1, operand.shape().rank()));
        require(updates.shape().equals(rows), "updates must be " + rows);
        return operand;
    }

    private static TensorType randomBits(Op.RandomBits r, TensorType key, TensorType counter) {
        Shape s = key.shape();
        require(key.element() == U32 && counter.element() == U32, "key and counter are not u32");
        require(s.rank() == 2 && s.dim(1) == 2 && s.equals(counter.shape()), "key and counter must be [rows, 2]");
        require(r.n() >= 1, "n is " + r.n());
        return TensorType.of(U32, s.dim(0), r.n());
    }

    private static List<TensorType> composed(Op.Composed c, List<TensorType> in) {
        for (Equation e : c.body().equations()) {
            if (e.op() instanceof Op.Param p) {
                require(p.index() >= 0 && p.index() < in.size() && p.type().equals(in.get(p.index())),
                        "operand " + p.index() + " must be " + p.type());
            }
        }
        List<TensorType> out = new ArrayList<>();
        c.body().outputs().forEach(o -> out.add(o.value().type()));
        return out;
    }

    private static void require(boolean holds, String reason) {
        if (!holds) {
            throw new IllegalArgumentException(reason);
        }
    }
}
