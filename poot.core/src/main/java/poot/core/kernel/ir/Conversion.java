package poot.core.kernel.ir;

/** From one register type to another. */
public enum Conversion {
    /** Rounds to the nearest, ties to even. */
    I32_TO_F32(ScalarType.I32, ScalarType.F32),
    /** Rounds to the nearest, ties to even. */
    U32_TO_F32(ScalarType.U32, ScalarType.F32),
    /** Towards zero; saturates; 0 of NaN. */
    F32_TO_I32(ScalarType.F32, ScalarType.I32),
    /** Towards zero; saturates; 0 of NaN. */
    F32_TO_U32(ScalarType.F32, ScalarType.U32),
    /** The same bits. */
    I32_TO_U32(ScalarType.I32, ScalarType.U32),
    /** The same bits. */
    U32_TO_I32(ScalarType.U32, ScalarType.I32),
    /** 0 or 1. */
    BOOL_TO_U32(ScalarType.BOOL, ScalarType.U32),
    /** The same bits. */
    F32_TO_BITS(ScalarType.F32, ScalarType.U32),
    /** The same bits. */
    BITS_TO_F32(ScalarType.U32, ScalarType.F32),
    /** The bits of the nearest binary16, ties to even, in the low half; the high half 0. */
    F32_TO_F16_BITS(ScalarType.F32, ScalarType.U32),
    /** The binary16 in the low half, exactly; the high half is ignored. */
    F16_BITS_TO_F32(ScalarType.U32, ScalarType.F32),
    /** The bits of the nearest bfloat16, ties to even, in the low half; the high half 0. */
    F32_TO_BF16_BITS(ScalarType.F32, ScalarType.U32),
    /** The bfloat16 in the low half, exactly; the high half is ignored. */
    BF16_BITS_TO_F32(ScalarType.U32, ScalarType.F32);

    private final ScalarType from;
    private final ScalarType to;

    Conversion(ScalarType from, ScalarType to) {
        this.from = from;
        this.to = to;
    }

    /** What it takes. */
    public ScalarType from() {
        return from;
    }

    /** What it gives. */
    public ScalarType to() {
        return to;
    }
}
