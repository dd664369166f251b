package poot.core.kernel.ir;

import java.util.Locale;

/** A value of one thread. There are no vector registers: a vector access of memory has several registers. */
public enum ScalarType implements RegisterType {
    /** True or false. */
    BOOL,
    /** 32 bits, signed, wrapping. */
    I32,
    /** 32 bits, unsigned, wrapping. */
    U32,
    /** IEEE binary32; subnormal numbers may be flushed to zero. */
    F32,
    /** A 64-bit device address that came from a buffer parameter and stays within what the parameter names. */
    BUFFER;

    /** Whether this is {@link #I32} or {@link #U32}. */
    public boolean isInteger() {
        return this == I32 || this == U32;
    }

    /** Whether this is an integer or {@link #F32}. */
    public boolean isNumber() {
        return this == F32 || isInteger();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
