package poot.core.kernel.ir;

import java.util.OptionalInt;

/** Arithmetic of literals that every device does alike, as bits. */
final class Folding {
    private Folding() {}

    /** The bits of {@code a op b}, empty where undefined or left to the device. */
    static OptionalInt binary(BinaryOp op, RegisterType type, int a, int b) {
        if (type == ScalarType.F32) {
            float x = Float.intBitsToFloat(a);
            float y = Float.intBitsToFloat(b);
            return switch (op) {
                case ADD -> floats(x + y);
                case SUB -> floats(x - y);
                case MUL -> floats(x * y);
                case DIV, REM, MIN, MAX, AND, OR, XOR, SHL, SHR, MUL_HIGH -> OptionalInt.empty();
            };
        }
        boolean signed = type == ScalarType.I32;
        return switch (op) {
            case ADD -> OptionalInt.of(a + b);
            case SUB -> OptionalInt.of(a - b);
            case MUL -> OptionalInt.of(a * b);
            case DIV -> b == 0 ? OptionalInt.empty() : OptionalInt.of(signed ? a / b : Integer.divideUnsigned(a, b));
            case REM -> b == 0 ? OptionalInt.empty() : OptionalInt.of(signed ? a % b : Integer.remainderUnsigned(a, b));
            case MIN -> OptionalInt.of(order(signed, a, b) <= 0 ? a : b);
            case MAX -> OptionalInt.of(order(signed, a, b) >= 0 ? a : b);
            case AND -> OptionalInt.of(a & b);
            case OR -> OptionalInt.of(a | b);
            case XOR -> OptionalInt.of(a ^ b);
            case SHL -> b >>> 5 != 0 ? OptionalInt.empty() : OptionalInt.of(a << b);
            case SHR -> b >>> 5 != 0 ? OptionalInt.empty() : OptionalInt.of(signed ? a >> b : a >>> b);
            case MUL_HIGH -> OptionalInt.of(signed ? (int) ((long) a * b >> 32) : (int) ((a & 0xffffffffL) * (b & 0xffffffffL) >>> 32));
        };
    }

    /** Whether {@code a op b} holds. */
    static boolean compare(Comparison op, RegisterType type, int a, int b) {
        if (type == ScalarType.F32) {
            float x = Float.intBitsToFloat(a);
            float y = Float.intBitsToFloat(b);
            return switch (op) {
                case EQ -> x == y;
                case NE -> x != y;
                case LT -> x < y;
                case LE -> x <= y;
                case GT -> x > y;
                case GE -> x >= y;
            };
        }
        int order = order(type == ScalarType.I32, a, b);
        return switch (op) {
            case EQ -> order == 0;
            case NE -> order != 0;
            case LT -> order < 0;
            case LE -> order <= 0;
            case GT -> order > 0;
            case GE -> order >= 0;
        };
    }

    /** Whether {@code a op bits} is {@code a} whatever a is: {@code x + 0}, {@code x * 1}, {@code x << 0} ... of integers. */
    static boolean keeps(BinaryOp op, RegisterType type, int bits) {
        if (!(type instanceof ScalarType t && t.isInteger())) {
            return false;
        }
        return switch (op) {
            case ADD, SUB, OR, XOR, SHL, SHR -> bits == 0;
            case MUL, DIV -> bits == 1;
            case AND -> bits == -1;
            case REM, MIN, MAX, MUL_HIGH -> false;
        };
    }

    /** Whether {@code bits op a} is {@code a} whatever a is. */
    static boolean keepsRight(BinaryOp op, RegisterType type, int bits) {
        return switch (op) {
            case ADD, OR, XOR, MUL, AND -> keeps(op, type, bits);
            case SUB, DIV, SHL, SHR, REM, MIN, MAX, MUL_HIGH -> false;
        };
    }

    /** Whether {@code a op bits} is 0 whatever a is: {@code x * 0}, {@code x & 0}, {@code x % 1} of integers. */
    static boolean vanishes(BinaryOp op, RegisterType type, int bits) {
        if (!(type instanceof ScalarType t && t.isInteger())) {
            return false;
        }
        return switch (op) {
            case MUL, AND, MUL_HIGH -> bits == 0;
            case REM -> bits == 1;
            case ADD, SUB, DIV, MIN, MAX, OR, XOR, SHL, SHR -> false;
        };
    }

    private static int order(boolean signed, int a, int b) {
        return signed ? Integer.compare(a, b) : Integer.compareUnsigned(a, b);
    }

    private static OptionalInt floats(float x) {
        return OptionalInt.of(Float.floatToRawIntBits(x));
    }
}
