package poot.api.graph;

/** The type of one element of a tensor value. */
public enum ElementType {
    /** IEEE 754 binary32; the accumulation type of every floating-point operation. */
    F32(4),
    /** IEEE 754 binary16; a storage type. */
    F16(2),
    /** The upper half of a binary32; a storage type. */
    BF16(2),
    /** Two's complement 32-bit integer: indices, positions, token ids. */
    I32(4),
    /** 32-bit word: random bits, seeds, counters. */
    U32(4),
    /** A truth value in one byte, 0 or 1. */
    BOOL(1),
    /** Elements inside the blocks of a {@link Format}; only a weight constant has this type, only packed decode reads it. */
    PACKED(0);

    private final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of one element; 0 for {@link #PACKED}, whose size belongs to the format. */
    public int bytes() {
        return bytes;
    }

    /** True for F32, F16 and BF16. */
    public boolean isFloat() {
        return this == F32 || this == F16 || this == BF16;
    }
}
