package poot.core.kernel.ir;

/** One operand, result of the same type. */
public enum UnaryOp {
    /** I32, U32 (wrapping), F32. */
    NEG,
    /** I32, F32. */
    ABS,
    /** BOOL, I32, U32 (each bit). */
    NOT,
    /** F32: the largest integer that is not larger. */
    FLOOR,
    /** F32: the nearest integer, ties to even. */
    ROUND_EVEN,
    /** F32, a few ulp. */
    SQRT,
    /** F32: {@code 1 / sqrt(a)}, a few ulp. */
    RSQRT,
    /** F32: {@code 1 / a}, a few ulp. */
    RECIPROCAL,
    /** F32: 2 to the a, relative error at most 2^-21; 0 far below and infinity far above. */
    EXP2,
    /** F32: the logarithm to base 2, absolute error at most 2^-21 between 0.5 and 2, else a few ulp; -infinity of 0. */
    LOG2;

    /** Whether operands of the type are taken. */
    public boolean takes(RegisterType type) {
        return switch (this) {
            case NEG -> type instanceof ScalarType t && t.isNumber();
            case ABS -> type == ScalarType.I32 || type == ScalarType.F32;
            case NOT -> type == ScalarType.BOOL || type instanceof ScalarType t && t.isInteger();
            case FLOOR, ROUND_EVEN, SQRT, RSQRT, RECIPROCAL, EXP2, LOG2 -> type == ScalarType.F32;
        };
    }
}
