package poot.core.kernel.ir;

/** Two operands of one type, result of the same. */
public enum BinaryOp {
    /** Integers wrap; F32 rounds once: never contracted with another operation. */
    ADD, SUB, MUL,
    /** Integers towards zero, by zero undefined; F32 within 2.5 ulp. */
    DIV,
    /** Integers: the sign of the dividend, by zero undefined. */
    REM,
    /** Of F32 and NaN, the other one. */
    MIN, MAX,
    /** BOOL and integers. */
    AND, OR, XOR,
    /** Integers, by 0 to 31, else undefined; the count has the type of the first operand. */
    SHL,
    /** As SHL; I32 keeps the sign. */
    SHR,
    /** Integers: the upper 32 bits of the 64-bit product. */
    MUL_HIGH;

    /** Whether operands of the type are taken. */
    public boolean takes(RegisterType type) {
        if (!(type instanceof ScalarType t)) {
            return false;
        }
        return switch (this) {
            case ADD, SUB, MUL, DIV, MIN, MAX -> t.isNumber();
            case AND, OR, XOR -> t == ScalarType.BOOL || t.isInteger();
            case REM, SHL, SHR, MUL_HIGH -> t.isInteger();
        };
    }
}
