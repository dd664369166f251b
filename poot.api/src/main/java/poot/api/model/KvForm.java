package poot.api.model;

import java.util.Optional;
import poot.api.graph.ElementType;
import poot.api.graph.TraceException;

/** How cached keys and values are stored. */
public enum KvForm {
    /** As they are computed. */
    F32(ElementType.F32),
    /** Rounded to binary16: half the memory. */
    F16(ElementType.F16),
    /** Rounded to the upper half of a binary32: half the memory. */
    BF16(ElementType.BF16),
    /**
     * Each {@link #GROUP} features of a head as signed 8-bit codes and one F16 scale, their largest magnitude / 127: a
     * feature is code · scale. 34 bytes a group. As the Q8_0 blocks of GGUF, but for where scales lie. Heads must have a
     * multiple of {@link #GROUP} features.
     */
    Q8_0(null);

    /** Features that share a scale. */
    public static final int GROUP = 32;
    /** Codes in an I32 word, the first in its lowest byte. */
    public static final int CODES = 4;

    private final ElementType plain;

    KvForm(ElementType plain) {
        this.plain = plain;
    }

    /** The type of stored elements, where each feature is one. */
    public Optional<ElementType> plain() {
        return Optional.ofNullable(plain);
    }

    /** Bytes of one feature of a key or value, its part of a scale included. */
    public double featureBytes() {
        return plain == null ? 1 + (double) ElementType.F16.bytes() / GROUP : plain.bytes();
    }

    /**
     * The type of stored elements, for a family that stores each feature as one.
     *
     * @throws TraceException {@code UnsupportedStep} if this form does not
     */
    public ElementType element() throws TraceException {
        return plain().orElseThrow(() -> new TraceException(new TraceException.UnsupportedStep(
                "a cache in " + this, "the family stores whole elements; cache in F16, BF16 or F32")));
    }
}
