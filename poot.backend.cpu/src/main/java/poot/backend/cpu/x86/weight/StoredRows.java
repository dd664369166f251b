package poot.backend.cpu.x86.weight;

import java.util.Optional;
import poot.api.graph.Encoding;

/** How emitted code reads a group of rows of one format, a step at a time. */
public interface StoredRows {
    /** How activations are staged for it. */
    Layout layout();

    /** Bytes of one step of a row. */
    int stepBytes();

    /** Groups whose sums are open at once. */
    int open();

    /** Vectors of scratch. */
    default int scratch() {
        return 0;
    }

    /** Writes the code that decodes one step of {@code rows} into {@code sink}. */
    void step(Rows rows, Sink sink);

    /** The rows of an encoding, if there is code for them. */
    static Optional<StoredRows> of(Encoding encoding) {
        return Optional.ofNullable(switch (encoding) {
            case F32 -> new FloatRows();
            case F16 -> new HalfRows();
            case BF16 -> new BrainRows();
            case Q8_0 -> new ByteRows();
            case Q4_0 -> new NibbleRows();
            case Q4_K -> new FiveBitRows(false);
            case Q5_K -> new FiveBitRows(true);
            case Q6_K -> new SixBitRows();
            default -> null;
        });
    }
}
