package poot.core.compile;

import java.util.List;
import java.util.Optional;
import poot.api.graph.ElementType;
import poot.api.graph.Equation;
import poot.api.graph.LiteralData;
import poot.api.graph.Op;
import poot.api.graph.Shape;

/** One element of an operation over literals, where its bits are certain. */
final class LiteralArithmetic {
    private LiteralArithmetic() {}

    /** The 32 bits of element {@code i} (row-major) of the equation's result, or empty if it is left to the device. */
    static Optional<Integer> element(Equation e, List<LiteralData> in, int i) {
        Shape out = e.output().shape();
        return switch (e.op()) {
            case Op.Reshape o -> Optional.of(in.get(0).bitsAt(i));
            case Op.Broadcast o -> Optional.of(stretched(in.get(0), out, i));
            case Op.Slice o -> {
                int[] at = place(out, i);
                at[o.axis()] += o.from();
                yield Optional.of(in.get(0).bitsAt(offset(in.get(0).type().shape(), at)));
            }
            case Op.Transpose o -> {
                int[] at = place(out, i);
                int[] source = new int[at.length];
                for (int a = 0; a < at.length; a++) {
                    source[o.order().get(a)] = at[a];
                }
                yield Optional.of(in.get(0).bitsAt(offset(in.get(0).type().shape(), source)));
            }
            case Op.Cast o -> cast(in.get(0).type().element(), o.to(), in.get(0).bitsAt(i));
            case Op.Unary o -> unary(o.kind(), in.get(0).type().element(), in.get(0).bitsAt(i));
            case Op.Binary o -> binary(o.kind(), in.get(0).type().element(),
                    stretched(in.get(0), out, i), stretched(in.get(1), out, i));
            case Op.Select o -> Optional.of(stretched(in.get(stretched(in.get(0), out, i) != 0 ? 1 : 2), out, i));
            default -> Optional.empty();
        };
    }

    private static Optional<Integer> cast(ElementType from, ElementType to, int bits) {
        if (from == ElementType.I32 && to == ElementType.F32) {
            return Optional.of(Float.floatToRawIntBits((float) bits));
        }
        if (from == ElementType.BOOL && to == ElementType.F32) {
            return Optional.of(Float.floatToRawIntBits(bits != 0 ? 1f : 0f));
        }
        if (from == ElementType.BOOL && (to == ElementType.I32 || to == ElementType.U32)) {
            return Optional.of(bits != 0 ? 1 : 0);
        }
        return Optional.empty();
    }

    private static Optional<Integer> unary(Op.UnaryKind kind, ElementType type, int bits) {
        boolean f = type == ElementType.F32;
        return switch (kind) {
            case NEG -> f ? certain(-Float.intBitsToFloat(bits)) : Optional.of(-bits);
            case ABS -> f ? certain(Math.abs(Float.intBitsToFloat(bits))) : Optional.of(Math.abs(bits));
            case NOT -> Optional.of(bits == 0 ? 1 : 0);
            case EXP, LOG, SIN, COS, TANH, ERF, SQRT, RECIPROCAL, FLOOR, IS_FINITE -> Optional.empty();
        };
    }

    private static Optional<Integer> binary(Op.BinaryKind kind, ElementType type, int a, int b) {
        if (type == ElementType.F32) {
            float x = Float.intBitsToFloat(a);
            float y = Float.intBitsToFloat(b);
            return switch (kind) {
                case ADD -> certain(x + y);
                case SUB -> certain(x - y);
                case MUL -> certain(x * y);
                case DIV -> certain(x / y);
                case REMAINDER, MIN, MAX, POW, AND, OR, XOR, SHIFT_LEFT, SHIFT_RIGHT -> Optional.empty();
            };
        }
        return switch (kind) {
            case ADD -> Optional.of(a + b);
            case SUB -> Optional.of(a - b);
            case MUL -> Optional.of(a * b);
            case AND -> Optional.of(a & b);
            case OR -> Optional.of(a | b);
            case XOR -> Optional.of(a ^ b);
            case DIV, REMAINDER, MIN, MAX, POW, SHIFT_LEFT, SHIFT_RIGHT -> Optional.empty();
        };
    }

    private static Optional<Integer> certain(float x) {
        return Float.isNaN(x) ? Optional.empty() : Optional.of(Float.floatToRawIntBits(x));
    }

    /** The element of {@code data}, stretched to {@code out}, at element i of {@code out}. */
    private static int stretched(LiteralData data, Shape out, int i) {
        Shape own = data.type().shape();
        int[] at = place(out, i);
        int[] mine = new int[own.rank()];
        for (int a = 0; a < mine.length; a++) {
            mine[a] = own.dim(a) == 1 ? 0 : at[a + out.rank() - own.rank()];
        }
        return data.bitsAt(offset(own, mine));
    }

    private static int[] place(Shape s, int i) {
        int[] at = new int[s.rank()];
        int rest = i;
        for (int a = at.length - 1; a >= 0; a--) {
            at[a] = rest % s.dim(a);
            rest /= s.dim(a);
        }
        return at;
    }

    private static int offset(Shape s, int[] at) {
        int o = 0;
        for (int a = 0; a < at.length; a++) {
            o = o * s.dim(a) + at[a];
        }
        return o;
    }
}
