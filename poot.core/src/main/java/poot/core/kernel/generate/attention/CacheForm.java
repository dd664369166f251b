package poot.core.kernel.generate.attention;

import poot.api.graph.ElementType;

/** How keys and values lie in memory. */
public enum CacheForm {
    /** A feature is an element of 4 bytes. */
    F32(4),
    /** A feature is a binary16. */
    F16(2),
    /** A feature is the upper half of a binary32. */
    BF16(2),
    /** A feature is a signed byte times the F16 scale of its 32, which lies elsewhere. */
    CODED(1);

    private final int bytes;

    CacheForm(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of one feature, without its share of a scale. */
    public int bytes() {
        return bytes;
    }

    /** The form of features that are elements. */
    public static CacheForm of(ElementType e) {
        return switch (e) {
            case F32 -> F32;
            case F16 -> F16;
            case BF16 -> BF16;
            case I32, U32, BOOL, PACKED -> throw new IllegalArgumentException("features of " + e + ": cache F32, F16, BF16 or codes");
        };
    }
}
