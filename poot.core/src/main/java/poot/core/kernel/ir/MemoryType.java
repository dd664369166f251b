package poot.core.kernel.ir;

import java.util.Locale;

/** An element as it lies in memory, little-endian. A load converts it to {@link #register()}, a store converts back. */
public enum MemoryType {
    /** Zero-extended to U32; a store keeps the low 8 bits. */
    U8(1, ScalarType.U32),
    /** Sign-extended to I32; a store keeps the low 8 bits. */
    I8(1, ScalarType.I32),
    /** Zero-extended to U32; a store keeps the low 16 bits. */
    U16(2, ScalarType.U32),
    /** Sign-extended to I32; a store keeps the low 16 bits. */
    I16(2, ScalarType.I32),
    /** As it is. */
    U32(4, ScalarType.U32),
    /** As it is. */
    I32(4, ScalarType.I32),
    /** IEEE binary16, widened exactly to F32; a store rounds to the nearest, ties to even. */
    F16(2, ScalarType.F32),
    /** The upper half of a binary32, widened exactly to F32; a store rounds to the nearest, ties to even. */
    BF16(2, ScalarType.F32),
    /** As it is. */
    F32(4, ScalarType.F32);

    private final int bytes;
    private final ScalarType register;

    MemoryType(int bytes, ScalarType register) {
        this.bytes = bytes;
        this.register = register;
    }

    /** Bytes of one element: 1, 2 or 4. */
    public int bytes() {
        return bytes;
    }

    /** The type of a register that holds one element. */
    public ScalarType register() {
        return register;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
