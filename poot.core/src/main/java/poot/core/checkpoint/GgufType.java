package poot.core.checkpoint;

import java.util.Optional;

/** The types of a GGUF metadata value; the ordinal is the number in the file. Source: GGUF specification. */
enum GgufType {
    UINT8(1), INT8(1), UINT16(2), INT16(2), UINT32(4), INT32(4), FLOAT32(4), BOOL(1), STRING(0), ARRAY(0),
    UINT64(8), INT64(8), FLOAT64(8);

    private final int bytes;

    GgufType(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of one value; 0 for strings and arrays, whose length is in the file. */
    int bytes() {
        return bytes;
    }

    /** The type of that number. */
    static Optional<GgufType> of(int number) {
        return number >= 0 && number < values().length ? Optional.of(values()[number]) : Optional.empty();
    }
}
