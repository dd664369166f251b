package poot.oracle;

import poot.api.graph.ElementType;
import poot.api.graph.Op.BinaryKind;
import poot.api.graph.Op.CompareKind;
import poot.api.graph.Op.UnaryKind;

/**
 * The functions of one element. Transcendental functions are computed in double and rounded to F32 once, so a
 * device's own may differ in the last places; everything else is the F32 or 32-bit operation itself.
 */
final class Elementwise {
    private Elementwise() {}

    static float unary(UnaryKind kind, float x) {
        return switch (kind) {
            case NEG -> -x;
            case ABS -> Math.abs(x);
            case EXP -> (float) Math.exp(x);
            case LOG -> (float) Math.log(x);
            case SIN -> (float) Math.sin(x);
            case COS -> (float) Math.cos(x);
            case TANH -> (float) Math.tanh(x);
            case ERF -> (float) erf(x);
            case SQRT -> (float) Math.sqrt(x);
            case RECIPROCAL -> 1f / x;
            case FLOOR -> (float) Math.floor(x);
            case NOT, IS_FINITE -> throw new IllegalArgumentException(kind + " to f32");
        };
    }

    static int unary(UnaryKind kind, int x) {
        return switch (kind) {
            case NEG -> -x;
            case ABS -> Math.abs(x);
            case NOT -> 1 - x;
            case EXP, LOG, SIN, COS, TANH, ERF, SQRT, RECIPROCAL, FLOOR, IS_FINITE ->
                throw new IllegalArgumentException(kind + " of a word");
        };
    }

    /** MIN and MAX give the other operand where one is NaN; REMAINDER has the divisor's sign. */
    static float binary(BinaryKind kind, float a, float b) {
        return switch (kind) {
            case ADD -> a + b;
            case SUB -> a - b;
            case MUL -> a * b;
            case DIV -> a / b;
            case REMAINDER -> {
                float r = a % b;
                yield r != 0 && r < 0 != b < 0 ? r + b : r;
            }
            case MIN -> Float.isNaN(a) ? b : Float.isNaN(b) ? a : Math.min(a, b);
            case MAX -> Float.isNaN(a) ? b : Float.isNaN(b) ? a : Math.max(a, b);
            case POW -> (float) Math.pow(a, b);
            case AND, OR, XOR, SHIFT_LEFT, SHIFT_RIGHT -> throw new IllegalArgumentException(kind + " of f32");
        };
    }

    /** Words wrap; division by zero has no meaning and is refused. */
    static int binary(BinaryKind kind, ElementType element, int a, int b) {
        return switch (kind) {
            case ADD -> a + b;
            case SUB -> a - b;
            case MUL -> a * b;
            case DIV -> Math.floorDiv(a, b);
            case REMAINDER -> Math.floorMod(a, b);
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case AND -> a & b;
            case OR -> a | b;
            case XOR -> a ^ b;
            case SHIFT_LEFT -> a << b;
            case SHIFT_RIGHT -> element == ElementType.U32 ? a >>> b : a >> b;
            case POW -> throw new IllegalArgumentException(kind + " of a word");
        };
    }

    static boolean compare(CompareKind kind, float a, float b) {
        return switch (kind) {
            case EQ -> a == b;
            case NE -> a != b;
            case LT -> a < b;
            case LE -> a <= b;
            case GT -> a > b;
            case GE -> a >= b;
        };
    }

    static boolean compare(CompareKind kind, ElementType element, int a, int b) {
        int order = element == ElementType.U32 ? Integer.compareUnsigned(a, b) : Integer.compare(a, b);
        return switch (kind) {
            case EQ -> order == 0;
            case NE -> order != 0;
            case LT -> order < 0;
            case LE -> order <= 0;
            case GT -> order > 0;
            case GE -> order >= 0;
        };
    }

    /** A float, F32 value, as the nearest value of a float type, ties to even. */
    static float round(ElementType to, float x) {
        return switch (to) {
            case F32 -> x;
            case F16 -> Float.float16ToFloat(Float.floatToFloat16(x));
            case BF16 -> bfloat(x);
            case I32, U32, BOOL, PACKED -> throw new IllegalArgumentException(to + " is no float type");
        };
    }

    private static float bfloat(float x) {
        int bits = Float.floatToRawIntBits(x);
        if (Float.isNaN(x)) {
            return Float.intBitsToFloat(bits & 0xffff0000 | 0x00400000);
        }
        return Float.intBitsToFloat(bits + 0x7fff + (bits >>> 16 & 1) & 0xffff0000);
    }

    /** A float as a word: truncated toward zero and saturated, NaN to 0; to BOOL "not zero". */
    static int toWord(ElementType to, float x) {
        return switch (to) {
            case I32 -> (int) x;
            case U32 -> (int) Math.min((long) Math.max(x, 0f), 0xffffffffL);
            case BOOL -> x != 0 ? 1 : 0;
            case F32, F16, BF16, PACKED -> throw new IllegalArgumentException(to + " is no word type");
        };
    }

    /** A word as a word: I32 and U32 keep their bits, to BOOL "not zero". */
    static int toWord(ElementType to, int x) {
        return to == ElementType.BOOL ? x != 0 ? 1 : 0 : x;
    }

    /** A word as F32: U32 unsigned. */
    static float toFloat(ElementType from, int x) {
        return from == ElementType.U32 ? (float) Integer.toUnsignedLong(x) : (float) x;
    }

    /**
     * The error function to double precision: its Taylor series below 3, the continued fraction of its complement
     * (Abramowitz and Stegun 7.1.5, 7.1.14) above.
     */
    static double erf(double x) {
        double a = Math.abs(x);
        if (Double.isNaN(x) || a > 6) {
            return Double.isNaN(x) ? x : Math.signum(x);
        }
        double value;
        if (a < 3) {
            double term = a;
            value = a;
            for (int n = 1; Math.abs(term) > 1e-18 * value; n++) {
                term *= -a * a / n;
                value += term / (2 * n + 1);
            }
            value *= 2 / Math.sqrt(Math.PI);
        } else {
            double fraction = 0;
            for (int n = 60; n >= 1; n--) {
                fraction = n / 2.0 / (a + fraction);
            }
            value = 1 - Math.exp(-a * a) / ((a + fraction) * Math.sqrt(Math.PI));
        }
        return Math.copySign(value, x);
    }
}
