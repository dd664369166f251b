package poot.core.kernel.generate.pointwise;

import java.util.List;
import poot.api.graph.ElementType;
import poot.api.graph.Op;
import poot.core.kernel.ir.Conversion;
import poot.core.kernel.ir.Comparison;
import poot.core.kernel.ir.Functions;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/**
 * The elementwise operations on registers: each as the graph's operation defines it, functions within the ulps of
 * {@link Functions}. Registers hold F16 and BF16 as F32 of the same value.
 */
final class Scalars {
    private static final int EXPONENT = 0x7f80_0000;

    private Scalars() {}

    /** Whether {@link #apply} knows an operation. */
    static boolean knows(Op op) {
        return op instanceof Op.Unary || op instanceof Op.Binary || op instanceof Op.Compare || op instanceof Op.Select
                || op instanceof Op.Cast;
    }

    /** {@code op} of one element of each operand; {@code from} is the element type of the first. */
    static Reg apply(KernelBuilder b, Op op, ElementType from, List<Reg> in) {
        Reg x = in.getFirst();
        return switch (op) {
            case Op.Unary o -> unary(b, o.kind(), x);
            case Op.Binary o -> binary(b, o.kind(), x, in.get(1));
            case Op.Compare o -> b.compare(comparison(o.kind()), x, in.get(1));
            case Op.Select o -> b.select(x, in.get(1), in.get(2));
            case Op.Cast o -> cast(b, from, o.to(), x);
            default -> throw new IllegalArgumentException(op + " is not elementwise");
        };
    }

    private static Reg unary(KernelBuilder b, Op.UnaryKind kind, Reg x) {
        return switch (kind) {
            case NEG -> b.neg(x);
            case ABS -> b.abs(x);
            case EXP -> Functions.exp(b, x);
            case LOG -> Functions.log(b, x);
            case SIN -> Functions.sin(b, x);
            case COS -> Functions.cos(b, x);
            case TANH -> Functions.tanh(b, x);
            case ERF -> Functions.erf(b, x);
            case SQRT -> b.sqrt(x);
            case RECIPROCAL -> b.reciprocal(x);
            case FLOOR -> b.floor(x);
            case NOT -> b.not(x);
            case IS_FINITE -> b.ne(b.and(b.bits(x), EXPONENT), EXPONENT);
        };
    }

    private static Reg binary(KernelBuilder b, Op.BinaryKind kind, Reg x, Reg y) {
        boolean real = x.type() == ScalarType.F32;
        return switch (kind) {
            case ADD -> b.add(x, y);
            case SUB -> b.sub(x, y);
            case MUL -> b.mul(x, y);
            case DIV -> real ? b.div(x, y) : floorDiv(b, x, y);
            case REMAINDER -> real ? remainder(b, x, y) : floorMod(b, x, y);
            case MIN -> b.min(x, y);
            case MAX -> b.max(x, y);
            case POW -> Functions.pow(b, x, y);
            case AND -> b.and(x, y);
            case OR -> b.or(x, y);
            case XOR -> b.xor(x, y);
            case SHIFT_LEFT -> b.shl(x, b.and(y, 31));
            case SHIFT_RIGHT -> b.shr(x, b.and(y, 31));
        };
    }

    private static Comparison comparison(Op.CompareKind kind) {
        return switch (kind) {
            case EQ -> Comparison.EQ;
            case NE -> Comparison.NE;
            case LT -> Comparison.LT;
            case LE -> Comparison.LE;
            case GT -> Comparison.GT;
            case GE -> Comparison.GE;
        };
    }

    /** Towards negative infinity. The quotient of the least number and -1, which devices leave undefined, is that number. */
    private static Reg floorDiv(KernelBuilder b, Reg x, Reg y) {
        Reg opposite = b.eq(y, -1);
        Reg safe = b.select(opposite, b.i32(1), y);
        Reg q = b.div(x, safe);
        Reg r = b.sub(x, b.mul(q, safe));
        Reg below = b.and(b.ne(r, 0), b.lt(b.xor(r, safe), 0));
        return b.select(opposite, b.neg(x), b.select(below, b.sub(q, 1), q));
    }

    private static Reg floorMod(KernelBuilder b, Reg x, Reg y) {
        Reg safe = b.select(b.eq(y, -1), b.i32(1), y);
        Reg r = b.sub(x, b.mul(b.div(x, safe), safe));
        Reg below = b.and(b.ne(r, 0), b.lt(b.xor(r, safe), 0));
        return b.select(below, b.add(r, safe), r);
    }

    /**
     * {@code x - y * trunc(x / y)} exactly, plus y where the signs differ: twofold multiples of |y| are taken from |x|,
     * the largest first; each difference is exact.
     */
    private static Reg remainder(KernelBuilder b, Reg x, Reg y) {
        Reg size = b.abs(x);
        Reg unit = b.abs(y);
        Reg defined = b.and(b.lt(b.and(b.bits(x), 0x7fff_ffff), EXPONENT),
                b.and(b.gt(unit, b.f32(0)), b.le(b.and(b.bits(y), 0x7fff_ffff), b.u32(EXPONENT))));
        Reg plain = b.and(defined, b.lt(b.and(b.bits(y), 0x7fff_ffff), EXPONENT));
        Reg rest = b.either(b.and(plain, b.ge(size, unit)), () -> reduced(b, size, unit), () -> size);
        Reg signed = b.select(b.lt(x, b.f32(0)), b.neg(rest), rest);
        Reg apart = b.and(b.ne(signed, b.f32(0)), b.xor(b.lt(signed, b.f32(0)), b.lt(y, b.f32(0))));
        return b.select(defined, b.select(apart, b.add(signed, y), signed), b.f32(Float.NaN));
    }

    private static Reg reduced(KernelBuilder b, Reg size, Reg unit) {
        Reg top = b.loopWhile(unit, t -> b.le(b.add(t, t), size), t -> b.add(t, t));
        return b.loopWhile(List.of(size, top), c -> b.ge(c.getLast(), unit), c -> {
            Reg r = c.getFirst();
            Reg t = c.getLast();
            return List.of(b.select(b.ge(r, t), b.sub(r, t), r), b.mul(t, 0.5f));
        }).getFirst();
    }

    static Reg cast(KernelBuilder b, ElementType from, ElementType to, Reg x) {
        if (from == to) {
            return x;
        }
        return switch (to) {
            case F32 -> real(b, from, x);
            case F16 -> b.fromF16Bits(b.convert(Conversion.F32_TO_F16_BITS, real(b, from, x)));
            case BF16 -> b.fromBf16Bits(b.convert(Conversion.F32_TO_BF16_BITS, real(b, from, x)));
            case I32 -> b.toI32(from == ElementType.BOOL ? b.toU32(x) : x);
            case U32 -> b.toU32(x);
            case BOOL -> b.ne(x, 0);
            case PACKED -> throw new IllegalArgumentException("nothing becomes packed");
        };
    }

    private static Reg real(KernelBuilder b, ElementType from, Reg x) {
        return from == ElementType.BOOL ? b.select(x, b.f32(1), b.f32(0)) : b.toF32(x);
    }
}
