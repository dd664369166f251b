package poot.core.checkpoint;

import java.util.Optional;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;

/** The element types of the safetensors format, by their names in a header. */
enum Dtype {
    BOOL(8), U8(8), I8(8), F8_E5M2(8), F8_E4M3(8), F8_E8M0(8), I16(16), U16(16), F16(16), BF16(16),
    I32(32), U32(32), F32(32), I64(64), U64(64), F64(64), C64(64), F4(4), F6_E2M3(6), F6_E3M2(6);

    private final int bits;

    Dtype(int bits) {
        this.bits = bits;
    }

    /** Bits of one element. */
    int bits() {
        return bits;
    }

    /** The dense encoding of these elements, if there is one. */
    Optional<Encoding> encoding() {
        return switch (this) {
            case F32 -> Optional.of(Encoding.F32);
            case F16 -> Optional.of(Encoding.F16);
            case BF16 -> Optional.of(Encoding.BF16);
            default -> Optional.empty();
        };
    }

    /** The element type of the dense encoding, if there is one. */
    Optional<ElementType> element() {
        return encoding().map(Encoding::element);
    }

    /** True for the floats of 4, 6 and 8 bits, which hold quantized weights. */
    boolean isSmallFloat() {
        return switch (this) {
            case F8_E5M2, F8_E4M3, F8_E8M0, F4, F6_E2M3, F6_E3M2 -> true;
            default -> false;
        };
    }

    /** The type of that name. */
    static Optional<Dtype> named(String name) {
        for (Dtype d : values()) {
            if (d.name().equals(name)) {
                return Optional.of(d);
            }
        }
        return Optional.empty();
    }
}
