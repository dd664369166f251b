package poot.backend.cpu.kernel.pointwise;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.I32;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import poot.api.graph.ElementType;
import poot.api.graph.Op.BinaryKind;
import poot.api.graph.Op.CompareKind;
import poot.api.graph.Op.UnaryKind;
import poot.backend.cpu.kernel.Lanes;

/** Loops over registers of F32, one per function: plain where the compiler vectorises them. */
final class FloatLoops {
    private FloatLoops() {}

    static void unary(UnaryKind kind, float[] x, float[] out, int n) {
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
            case SQRT -> {
                for (int i = 0; i < n; i++) {
                    out[i] = (float) Math.sqrt(x[i]);
                }
            }
            case RECIPROCAL -> {
                for (int i = 0; i < n; i++) {
                    out[i] = 1f / x[i];
                }
            }
            case FLOOR -> {
                for (int i = 0; i < n; i++) {
                    out[i] = (float) Math.floor(x[i]);
                }
            }
            case LOG -> {
                for (int i = 0; i < n; i++) {
                    out[i] = (float) Math.log(x[i]);
                }
            }
            case SIN -> {
                for (int i = 0; i < n; i++) {
                    out[i] = (float) Math.sin(x[i]);
                }
            }
            case COS -> {
                for (int i = 0; i < n; i++) {
                    out[i] = (float) Math.cos(x[i]);
                }
            }
            case EXP -> Activations.exp(x, out, n);
            case TANH -> Activations.tanh(x, out, n);
            case ERF -> Activations.erf(x, out, n);
            case NOT, IS_FINITE -> throw new IllegalStateException(kind + " to f32");
        }
    }

    static void isFinite(float[] x, int[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = Math.abs(x[i]) <= Float.MAX_VALUE ? 1 : 0;
        }
    }

    static void binary(BinaryKind kind, float[] a, float[] b, float[] out, int n) {
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
                    out[i] = a[i] / b[i];
                }
            }
            case REMAINDER -> {
                for (int i = 0; i < n; i++) {
                    out[i] = remainder(a[i], b[i]);
                }
            }
            case MIN -> {
                for (int i = 0; i < n; i++) {
                    out[i] = a[i] != a[i] ? b[i] : b[i] != b[i] ? a[i] : Math.min(a[i], b[i]);
                }
            }
            case MAX -> {
                for (int i = 0; i < n; i++) {
                    out[i] = a[i] != a[i] ? b[i] : b[i] != b[i] ? a[i] : Math.max(a[i], b[i]);
                }
            }
            case POW -> {
                for (int i = 0; i < n; i++) {
                    out[i] = (float) Math.pow(a[i], b[i]);
                }
            }
            case AND, OR, XOR, SHIFT_LEFT, SHIFT_RIGHT -> throw new IllegalStateException(kind + " of f32");
        }
    }

    /** The remainder with the divisor's sign. */
    private static float remainder(float a, float b) {
        float r = a % b;
        return r != 0 && r < 0 != b < 0 ? r + b : r;
    }

    /** To a whole vector past {@code n}. A loop each: the compiler needs the comparison to be a constant. */
    static void compare(CompareKind kind, float[] a, float[] b, int[] out, int n) {
        switch (kind) {
            case EQ -> {
                for (int i = 0; i < n; i += COUNT) {
                    put(Lanes.load(a, i).compare(VectorOperators.EQ, Lanes.load(b, i)), out, i);
                }
            }
            case NE -> {
                for (int i = 0; i < n; i += COUNT) {
                    put(Lanes.load(a, i).compare(VectorOperators.NE, Lanes.load(b, i)), out, i);
                }
            }
            case LT -> {
                for (int i = 0; i < n; i += COUNT) {
                    put(Lanes.load(a, i).compare(VectorOperators.LT, Lanes.load(b, i)), out, i);
                }
            }
            case LE -> {
                for (int i = 0; i < n; i += COUNT) {
                    put(Lanes.load(a, i).compare(VectorOperators.LE, Lanes.load(b, i)), out, i);
                }
            }
            case GT -> {
                for (int i = 0; i < n; i += COUNT) {
                    put(Lanes.load(a, i).compare(VectorOperators.GT, Lanes.load(b, i)), out, i);
                }
            }
            case GE -> {
                for (int i = 0; i < n; i += COUNT) {
                    put(Lanes.load(a, i).compare(VectorOperators.GE, Lanes.load(b, i)), out, i);
                }
            }
        }
    }

    private static void put(VectorMask<Float> holds, int[] out, int i) {
        IntVector.zero(I32).blend(1, holds.cast(I32)).intoArray(out, i);
    }

    /** To a whole vector past {@code n}. */
    static void select(int[] condition, float[] a, float[] b, float[] out, int n) {
        for (int i = 0; i < n; i += COUNT) {
            VectorMask<Float> holds = IntVector.fromArray(I32, condition, i).compare(VectorOperators.NE, 0).cast(F32);
            Lanes.load(b, i).blend(Lanes.load(a, i), holds).intoArray(out, i);
        }
    }

    static void round(ElementType to, float[] x, float[] out, int n) {
        switch (to) {
            case F32 -> System.arraycopy(x, 0, out, 0, n);
            case F16 -> {
                for (int i = 0; i < n; i++) {
                    out[i] = Float.float16ToFloat(Float.floatToFloat16(x[i]));
                }
            }
            case BF16 -> {
                for (int i = 0; i < n; i++) {
                    int bits = Float.floatToRawIntBits(x[i]);
                    int rounded = bits + 0x7fff + (bits >>> 16 & 1);
                    boolean nan = (bits & 0x7fffffff) > 0x7f800000;
                    out[i] = Float.intBitsToFloat((nan ? bits | 0x00400000 : rounded) & 0xffff0000);
                }
            }
            case I32, U32, BOOL, PACKED -> throw new IllegalStateException(to + " is no float type");
        }
    }

    static void fromWord(ElementType from, ElementType to, int[] x, float[] out, int n) {
        if (from == ElementType.U32) {
            for (int i = 0; i < n; i++) {
                out[i] = (float) Integer.toUnsignedLong(x[i]);
            }
        } else {
            for (int i = 0; i < n; i++) {
                out[i] = (float) x[i];
            }
        }
        round(to, out, out, n);
    }
}
