package poot.core.compile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import poot.api.graph.ElementType;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.LiteralData;
import poot.api.graph.Op;
import poot.api.graph.Op.BinaryKind;
import poot.api.graph.Shape;
import poot.api.graph.Value;

/**
 * {@code x*1 -> x, x/1 -> x, x-0 -> x, x+(-0) -> x; moves that move nothing -> x; reshape(reshape(x)) -> reshape(x);
 * transpose(transpose(x)) -> transpose(x); op(broadcast(x), y) -> op(x, y); commuted operands -> ordered}.
 * Bit-exact, except that a NaN may keep another payload.
 *
 * <p>Not applied because not exact: {@code x+0} (turns -0 into 0), {@code x*0} (NaN and infinities).
 */
record Canonicalise() implements Pass {
    @Override
    public Graph apply(Graph graph) {
        Rewrite r = new Rewrite(graph);
        for (Equation original : graph.equations()) {
            Equation e = ordered(composed(unstretched(r.of(original), r), r));
            Optional<Value> same = identity(e, r);
            if (same.isPresent()) {
                r.replace(original.output(), same.get());
            } else {
                r.emit(e);
            }
        }
        return r.finish();
    }

    /** op(broadcast(x), y) -> op(x, y) where the operation stretches x itself. */
    private static Equation unstretched(Equation e, Rewrite r) {
        if (!(e.op() instanceof Op.Binary || e.op() instanceof Op.Compare || e.op() instanceof Op.Select)) {
            return e;
        }
        List<Value> in = new ArrayList<>(e.inputs());
        for (int i = 0; i < in.size(); i++) {
            Optional<Equation> d = r.definition(in.get(i)).filter(def -> def.op() instanceof Op.Broadcast);
            if (d.isPresent()) {
                Value kept = in.set(i, d.get().inputs().get(0));
                Shape all = in.stream().map(Value::shape).reduce(Shape.SCALAR, Shape::broadcast);
                if (!all.equals(e.output().shape())) {
                    in.set(i, kept);
                }
            }
        }
        return new Equation(e.op(), in, e.outputs(), e.scope());
    }

    /** Two moves of one kind in a row become one. */
    private static Equation composed(Equation e, Rewrite r) {
        if (e.inputs().size() != 1) {
            return e;
        }
        Optional<Equation> inner = r.definition(e.inputs().get(0));
        if (inner.isEmpty()) {
            return e;
        }
        List<Value> source = inner.get().inputs();
        if (e.op() instanceof Op.Reshape && inner.get().op() instanceof Op.Reshape) {
            return new Equation(e.op(), source, e.outputs(), e.scope());
        }
        if (e.op() instanceof Op.Transpose outer && inner.get().op() instanceof Op.Transpose first) {
            List<Integer> order = outer.order().stream().map(first.order()::get).toList();
            return new Equation(new Op.Transpose(order), source, e.outputs(), e.scope());
        }
        return e;
    }

    /** Operands of a commutative operation by rising id. */
    private static Equation ordered(Equation e) {
        if (e.op() instanceof Op.Binary b && commutes(b.kind()) && e.inputs().get(0).id() > e.inputs().get(1).id()) {
            return new Equation(e.op(), List.of(e.inputs().get(1), e.inputs().get(0)), e.outputs(), e.scope());
        }
        return e;
    }

    private static boolean commutes(BinaryKind kind) {
        return switch (kind) {
            case ADD, MUL, AND, OR, XOR -> true;
            case SUB, DIV, REMAINDER, MIN, MAX, POW, SHIFT_LEFT, SHIFT_RIGHT -> false;
        };
    }

    /** The operand the equation merely repeats, if it does. */
    private static Optional<Value> identity(Equation e, Rewrite r) {
        if (e.inputs().isEmpty() || e.outputs().size() != 1) {
            return Optional.empty();
        }
        Value x = e.inputs().get(0);
        boolean typed = x.type().equals(e.output().type());
        boolean same = switch (e.op()) {
            case Op.Reshape o -> typed;
            case Op.Broadcast o -> typed;
            case Op.Slice o -> typed;
            case Op.Cast o -> typed;
            case Op.Pad o -> o.before() == 0 && o.after() == 0;
            case Op.Concat o -> e.inputs().size() == 1;
            case Op.Transpose o -> IntStream.range(0, o.order().size()).allMatch(i -> o.order().get(i) == i);
            case Op.Binary o -> typed && neutral(o.kind(), e.inputs().get(1), r);
            default -> false;
        };
        if (same) {
            return Optional.of(x);
        }
        return swapped(e, r);
    }

    /** The second operand, where the first is neutral or both branches of a choice are one. */
    private static Optional<Value> swapped(Equation e, Rewrite r) {
        if (e.inputs().size() < 2) {
            return Optional.empty();
        }
        Value y = e.inputs().get(1);
        if (!y.type().equals(e.output().type())) {
            return Optional.empty();
        }
        boolean same = switch (e.op()) {
            case Op.Binary o -> commutes(o.kind()) && neutral(o.kind(), e.inputs().get(0), r);
            case Op.Select o -> y.equals(e.inputs().get(2));
            default -> false;
        };
        return same ? Optional.of(y) : Optional.empty();
    }

    private static boolean neutral(BinaryKind kind, Value v, Rewrite r) {
        Optional<LiteralData> literal = r.definedBy(v, Op.Literal.class).map(Op.Literal::data);
        if (literal.isEmpty() || literal.get().count() == 0) {
            return false;
        }
        Optional<Integer> bits = neutralBits(kind, v.element());
        return bits.isPresent() && IntStream.range(0, literal.get().count()).allMatch(i -> literal.get().bitsAt(i) == bits.get());
    }

    /** The element that changes nothing as the second operand, as its 32 bits. */
    private static Optional<Integer> neutralBits(BinaryKind kind, ElementType element) {
        boolean f = element == ElementType.F32;
        return switch (kind) {
            case ADD -> Optional.of(f ? Float.floatToRawIntBits(-0f) : 0);
            case SUB -> Optional.of(0);
            case MUL, DIV -> Optional.of(f ? Float.floatToRawIntBits(1f) : 1);
            case OR, XOR -> Optional.of(0);
            case AND -> Optional.of(element == ElementType.BOOL ? 1 : -1);
            case SHIFT_LEFT, SHIFT_RIGHT -> Optional.of(0);
            case REMAINDER, MIN, MAX, POW -> Optional.empty();
        };
    }
}
