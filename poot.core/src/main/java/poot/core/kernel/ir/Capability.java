package poot.core.kernel.ir;

/** What not every device has. A kernel that needs one is never given to a device without it. */
public enum Capability {
    /** Fragments of F16 with an accumulator of F32. */
    MATRIX_F16,
    /** Fragments of BF16 with an accumulator of F32. */
    MATRIX_BF16,
    /** Fragments of I8 with an accumulator of I32. */
    MATRIX_I8,
    /** {@link Instruction.Dot4} is one instruction; elsewhere it is spelled out. A reason to choose, never needed. */
    INTEGER_DOT,
    /** {@link Instruction.CopyAsync} runs beside arithmetic; elsewhere it is a load and a store. A reason to choose, never needed. */
    ASYNC_COPY
}
