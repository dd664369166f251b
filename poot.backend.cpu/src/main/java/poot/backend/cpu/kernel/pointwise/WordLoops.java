package poot.backend.cpu.kernel.pointwise;

import poot.api.graph.ElementType;
import poot.api.graph.Op.BinaryKind;
import poot.api.graph.Op.CompareKind;
import poot.api.graph.Op.UnaryKind;

/** Loops over registers of 32-bit words: I32, U32, and BOOL as 0 or 1. */
final class WordLoops {
    private WordLoops() {}

    static void unary(UnaryKind kind, int[] x, int[] out, int n) {
        switch (kind) {
            case NEG -> {
                for (int i = 0; i < n; i++) {
                    out[i] = -x[i];
                }
            }
            case ABS -> {
                for (int i = 0; i < n; i++) {
                    out[i] = Math.abs(x[i]);
                }
            }
            case NOT -> {
                for (int i = 0; i < n; i++) {
                    out[i] = 1 - x[i];
                }
            }
            case EXP, LOG, SIN, COS, TANH, ERF, SQRT, RECIPROCAL, FLOOR, IS_FINITE ->
                throw new IllegalStateException(kind + " of a word");
        }
    }

    /** A division by zero gives 0: a device must not fail where the graph discards the lane. */
    static void binary(BinaryKind kind, boolean unsigned, int[] a, int[] b, int[] out, int n) {
        switch (kind) {
            case ADD -> {
                for (int i = 0; i < n; i++) {
                    out[i] = a[i] + b[i];
                }
            }
            case SUB -> {
                for (int i = 0; i < n; i++) {
                    out[i] = a[i] - b[i];
                }
            }
            case MUL -> {
                for (int i = 0; i < n; i++) {
                    out[i] = a[i] * b[i];
                }
            }
            case DIV -> {
                for (int i = 0; i < n; i++) {
                    out[i] = b[i] == 0 ? 0 : Math.floorDiv(a[i], b[i]);
                }
            }
            case REMAINDER -> {
                for (int i = 0; i < n; i++) {
                    out[i] = b[i] == 0 ? 0 : Math.floorMod(a[i], b[i]);
                }
            }
            case MIN -> {
                for (int i = 0; i < n; i++) {
                    out[i] = Math.min(a[i], b[i]);
                }
            }
            case MAX -> {
                for (int i = 0; i < n; i++) {
                    out[i] = Math.max(a[i], b[i]);
                }
            }
            case AND -> {
                for (int i = 0; i < n; i++) {
                    out[i] = a[i] & b[i];
                }
            }
            case OR -> {
                for (int i = 0; i < n; i++) {
                    out[i] = a[i] | b[i];
                }
            }
            case XOR -> {
                for (int i = 0; i < n; i++) {
                    out[i] = a[i] ^ b[i];
                }
            }
            case SHIFT_LEFT -> {
                for (int i = 0; i < n; i++) {
                    out[i] = a[i] << b[i];
                }
            }
            case SHIFT_RIGHT -> {
                for (int i = 0; i < n; i++) {
                    out[i] = unsigned ? a[i] >>> b[i] : a[i] >> b[i];
                }
            }
            case POW -> throw new IllegalStateException(kind + " of a word");
        }
    }

    static void compare(CompareKind kind, boolean unsigned, int[] a, int[] b, int[] out, int n) {
        int flip = unsigned ? Integer.MIN_VALUE : 0;
        switch (kind) {
            case EQ -> {
                for (int i = 0; i < n; i++) {
                    out[i] = (a[i] ^ flip) == (b[i] ^ flip) ? 1 : 0;
                }
            }
            case NE -> {
                for (int i = 0; i < n; i++) {
                    out[i] = (a[i] ^ flip) != (b[i] ^ flip) ? 1 : 0;
                }
            }
            case LT -> {
                for (int i = 0; i < n; i++) {
                    out[i] = (a[i] ^ flip) < (b[i] ^ flip) ? 1 : 0;
                }
            }
            case LE -> {
                for (int i = 0; i < n; i++) {
                    out[i] = (a[i] ^ flip) <= (b[i] ^ flip) ? 1 : 0;
                }
            }
            case GT -> {
                for (int i = 0; i < n; i++) {
                    out[i] = (a[i] ^ flip) > (b[i] ^ flip) ? 1 : 0;
                }
            }
            case GE -> {
                for (int i = 0; i < n; i++) {
                    out[i] = (a[i] ^ flip) >= (b[i] ^ flip) ? 1 : 0;
                }
            }
        }
    }

    static void select(int[] condition, int[] a, int[] b, int[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = condition[i] != 0 ? a[i] : b[i];
        }
    }

    /** Truncated toward zero and saturated, NaN to 0; to BOOL "not zero". */
    static void fromFloat(ElementType to, float[] x, int[] out, int n) {
        switch (to) {
            case I32 -> {
                for (int i = 0; i < n; i++) {
                    out[i] = (int) x[i];
                }
            }
            case U32 -> {
                for (int i = 0; i < n; i++) {
                    out[i] = (int) Math.min((long) Math.max(x[i], 0f), 0xffffffffL);
                }
            }
            case BOOL -> {
                for (int i = 0; i < n; i++) {
                    out[i] = x[i] != 0 ? 1 : 0;
                }
            }
            case F32, F16, BF16, PACKED -> throw new IllegalStateException(to + " is no word type");
        }
    }

    /** I32 and U32 keep their bits; to BOOL "not zero". */
    static void convert(ElementType to, int[] x, int[] out, int n) {
        if (to == ElementType.BOOL) {
            for (int i = 0; i < n; i++) {
                out[i] = x[i] != 0 ? 1 : 0;
            }
        } else {
            System.arraycopy(x, 0, out, 0, n);
        }
    }
}
