package poot.backend.cpu.x86.weight;

import java.util.Optional;
import poot.api.graph.Encoding;
import poot.backend.cpu.x86.Register;

/** How emitted code reads a group of rows of one format, a step at a time. */
public interface StoredRows {
    /** How activations are staged for it. */
    Layout layout();

    /** Bytes of one step of a row. */
    int stepBytes();

    /** Whether there are parts beside the codes: then R8 and R9 are free for them within a group of rows. */
    default boolean apart() {
        return false;
    }

    /** Whether all that is read by {@link Rows} are the codes, so that they can be interleaved. */
    default boolean interleaves() {
        return !apart();
    }

    /** Writes the code that points at the rows from {@code first} on, at their first step. */
    default void begin(Rows rows, Register first) {
        rows.point(first);
    }

    /** Writes the code that goes on by a step. */
    default void advance(Rows rows) {
        rows.advance(stepBytes());
    }

    /** Writes the code that moves {@code first} to the next group of rows. */
    default void next(Rows rows, Register first) {
        rows.next(first);
    }

    /** Groups whose sums are open at once. */
    int open();

    /** Whether it gives its codes four at a time to who takes them so. */
    default boolean fours() {
        return false;
    }

    /** Vectors of scratch. */
    default int scratch() {
        return 0;
    }

    /** Writes the code that decodes one step of {@code rows} into {@code sink}. */
    void step(Rows rows, Sink sink);

    /** The rows of an encoding of one part, if there is code for them; see {@link Placement} for the others. */
    static Optional<StoredRows> of(Encoding encoding) {
        return Optional.ofNullable(switch (encoding) {
            case Q8_0 -> new ByteRows();
            case Q4_0 -> new NibbleRows();
            case Q4_K -> new FiveBitRows(false);
            case Q5_K -> new FiveBitRows(true);
            case Q6_K -> new SixBitRows();
            case Q4_1 -> new OffsetRows();
            case Q5_0 -> new FifthBitRows(false);
            case Q5_1 -> new FifthBitRows(true);
            case Q1_0 -> new SignRows();
            case Q2_0 -> new PairRows();
            case Q2_K -> new TwoBitRows();
            case Q3_K -> new ThreeBitRows();
            case IQ4_NL -> new LevelRows();
            case IQ4_XS -> new LevelBlockRows();
            case MXFP4 -> new MicroRows();
            case NVFP4 -> new MicroBlockRows();
            case TQ1_0 -> new DigitRows();
            case TQ2_0 -> new TernaryRows();
            case F32, F16, BF16 -> null;
            case IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S -> null;
            case MXFP4_PAIRS, GPTQ_4, AWQ_4, FP8_CHANNEL, FP8_BLOCK -> null;
        });
    }
}
