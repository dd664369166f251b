package poot.core.kernel.interpret;

import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import poot.core.kernel.ir.BinaryOp;
import poot.core.kernel.ir.Comparison;
import poot.core.kernel.ir.Conversion;
import poot.core.kernel.ir.ReduceOp;
import poot.core.kernel.ir.RegisterType;
import poot.core.kernel.ir.ScalarType;
import poot.core.kernel.ir.UnaryOp;

/** What each operation means, on the 32 bits of a register: F32 as its bits, BOOL as 0 or 1. */
final class Scalars {
    private static final double LOG_2 = Math.log(2);

    private Scalars() {}

    static IntUnaryOperator unary(UnaryOp op, RegisterType type) {
        boolean f32 = type == ScalarType.F32;
        return switch (op) {
            case NEG -> f32 ? a -> a ^ 0x80000000 : a -> -a;
            case ABS -> f32 ? a -> a & 0x7fffffff : Math::abs;
            case NOT -> type == ScalarType.BOOL ? a -> a ^ 1 : a -> ~a;
            case FLOOR -> a -> bits((float) Math.floor(real(a)));
            case ROUND_EVEN -> a -> bits((float) Math.rint(real(a)));
            case SQRT -> a -> bits((float) Math.sqrt(real(a)));
            case RSQRT -> a -> bits((float) (1 / Math.sqrt(real(a))));
            case RECIPROCAL -> a -> bits(1 / real(a));
            case EXP2 -> a -> bits((float) Math.pow(2, real(a)));
            case LOG2 -> a -> bits((float) (Math.log(real(a)) / LOG_2));
        };
    }

    /** Integer division by 0 and shifts by more than 31 are the caller's to refuse. */
    static IntBinaryOperator binary(BinaryOp op, RegisterType type) {
        if (type == ScalarType.F32) {
            return switch (op) {
                case ADD -> (a, b) -> bits(real(a) + real(b));
                case SUB -> (a, b) -> bits(real(a) - real(b));
                case MUL -> (a, b) -> bits(real(a) * real(b));
                case DIV -> (a, b) -> bits(real(a) / real(b));
                case MIN -> (a, b) -> isNan(a) ? b : isNan(b) ? a : bits(Math.min(real(a), real(b)));
                case MAX -> (a, b) -> isNan(a) ? b : isNan(b) ? a : bits(Math.max(real(a), real(b)));
                case REM, AND, OR, XOR, SHL, SHR, MUL_HIGH -> throw new IllegalArgumentException(op + " of f32: the validator refuses it");
            };
        }
        boolean signed = type == ScalarType.I32;
        return switch (op) {
            case ADD -> (a, b) -> a + b;
            case SUB -> (a, b) -> a - b;
            case MUL -> (a, b) -> a * b;
            case DIV -> signed ? (a, b) -> a / b : Integer::divideUnsigned;
            case REM -> signed ? (a, b) -> a % b : Integer::remainderUnsigned;
            case MIN -> signed ? Math::min : (a, b) -> Integer.compareUnsigned(a, b) <= 0 ? a : b;
            case MAX -> signed ? Math::max : (a, b) -> Integer.compareUnsigned(a, b) >= 0 ? a : b;
            case AND -> (a, b) -> a & b;
            case OR -> (a, b) -> a | b;
            case XOR -> (a, b) -> a ^ b;
            case SHL -> (a, b) -> a << b;
            case SHR -> signed ? (a, b) -> a >> b : (a, b) -> a >>> b;
            case MUL_HIGH -> signed ? (a, b) -> (int) ((long) a * b >> 32)
                    : (a, b) -> (int) (Integer.toUnsignedLong(a) * Integer.toUnsignedLong(b) >>> 32);
        };
    }

    static IntBinaryOperator compare(Comparison op, RegisterType type) {
        if (type == ScalarType.F32) {
            return switch (op) {
                case EQ -> (a, b) -> bit(real(a) == real(b));
                case NE -> (a, b) -> bit(real(a) != real(b));
                case LT -> (a, b) -> bit(real(a) < real(b));
                case LE -> (a, b) -> bit(real(a) <= real(b));
                case GT -> (a, b) -> bit(real(a) > real(b));
                case GE -> (a, b) -> bit(real(a) >= real(b));
            };
        }
        int flip = type == ScalarType.I32 ? 0 : Integer.MIN_VALUE;
        return switch (op) {
            case EQ -> (a, b) -> bit(a == b);
            case NE -> (a, b) -> bit(a != b);
            case LT -> (a, b) -> bit((a ^ flip) < (b ^ flip));
            case LE -> (a, b) -> bit((a ^ flip) <= (b ^ flip));
            case GT -> (a, b) -> bit((a ^ flip) > (b ^ flip));
            case GE -> (a, b) -> bit((a ^ flip) >= (b ^ flip));
        };
    }

    static IntUnaryOperator convert(Conversion op) {
        return switch (op) {
            case I32_TO_F32 -> a -> bits(a);
            case U32_TO_F32 -> a -> bits(Integer.toUnsignedLong(a));
            case F32_TO_I32 -> a -> (int) real(a);
            case F32_TO_U32 -> a -> (int) Math.clamp((long) real(a), 0, 0xffffffffL);
            case I32_TO_U32, U32_TO_I32, BOOL_TO_U32, F32_TO_BITS, BITS_TO_F32 -> a -> a;
            case F32_TO_F16_BITS -> a -> Float.floatToFloat16(real(a)) & 0xffff;
            case F16_BITS_TO_F32 -> a -> bits(Float.float16ToFloat((short) a));
            case F32_TO_BF16_BITS -> Scalars::toBf16;
            case BF16_BITS_TO_F32 -> a -> a << 16;
        };
    }

    static IntBinaryOperator reduce(ReduceOp op, RegisterType type) {
        return binary(switch (op) {
            case ADD -> BinaryOp.ADD;
            case MIN -> BinaryOp.MIN;
            case MAX -> BinaryOp.MAX;
            case AND -> BinaryOp.AND;
            case OR -> BinaryOp.OR;
        }, type);
    }

    static int dot4(int a, int b, int accumulator) {
        int out = accumulator;
        for (int shift = 0; shift < 32; shift += 8) {
            out += (byte) (a >> shift) * (byte) (b >> shift);
        }
        return out;
    }

    /** The nearest bfloat16 of the F32 with bits {@code a}, ties to even; a NaN stays one. */
    static int toBf16(int a) {
        return isNan(a) ? a >>> 16 | 0x40 : a + 0x7fff + (a >>> 16 & 1) >>> 16;
    }

    static boolean isNan(int a) {
        return (a & 0x7fffffff) > 0x7f800000;
    }

    static float real(int bits) {
        return Float.intBitsToFloat(bits);
    }

    static int bits(float real) {
        return Float.floatToRawIntBits(real);
    }

    private static int bit(boolean b) {
        return b ? 1 : 0;
    }
}
