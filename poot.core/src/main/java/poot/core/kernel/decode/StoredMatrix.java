package poot.core.kernel.decode;

import java.util.Objects;
import java.util.Optional;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Scales;

/**
 * A whole stored weight, as a kernel that reads it must know it: [matrices, rows, columns], all of it baked into the code.
 * Rows are counted over all matrices.
 *
 * @param scales which elements share a scale; present exactly for GPTQ, AWQ and FP8
 * @param matrices matrices one after another in every part: experts; above 0
 * @param rows rows of one matrix: outputs; above 0
 * @param columns elements of a row: inputs; a whole number of the encoding's blocks
 */
public record StoredMatrix(Encoding encoding, Optional<Scales> scales, int matrices, int rows, int columns) {
    /** @throws IllegalArgumentException if an extent is not positive, a row is no whole number of blocks, or scales are amiss */
    public StoredMatrix {
        Objects.requireNonNull(encoding, "encoding");
        if (matrices < 1 || rows < 1 || columns < 1 || columns % encoding.blockElements() != 0) {
            throw new IllegalArgumentException("a weight " + encoding + " [" + matrices + ", " + rows + ", " + columns
                    + "]: each at least one, and columns a multiple of " + encoding.blockElements());
        }
        boolean apart = switch (encoding) {
            case GPTQ_4, AWQ_4, FP8_CHANNEL, FP8_BLOCK -> true;
            default -> false;
        };
        if (apart != scales.isPresent()) {
            throw new IllegalArgumentException("a weight " + encoding + (apart ? " without" : " with") + " scales of its own");
        }
        if ((encoding == Encoding.GPTQ_4 || encoding == Encoding.AWQ_4) && rows % 8 != 0) {
            throw new IllegalArgumentException("a weight " + encoding + " of " + rows + " rows: eight share a word");
        }
    }

    /** One matrix of an encoding that has no scales apart. */
    public StoredMatrix(Encoding encoding, int rows, int columns) {
        this(encoding, Optional.empty(), 1, rows, columns);
    }

    /**
     * Whether every element is a float of a narrow type. BF16 has 8 bits and the exponents of F32: codes of two bits times a
     * power of two, or times a scale of four bits, are among them. Of F16, codes of a sign and no more times an F16.
     *
     * @param type F16 or BF16
     */
    public boolean isExactIn(ElementType type) {
        return encoding.element() == type || switch (encoding) {
            case MXFP4, MXFP4_PAIRS, NVFP4 -> type == ElementType.BF16;
            case Q1_0, TQ1_0 -> type == ElementType.F16;
            default -> false;
        };
    }

    /** Rows of all matrices. */
    public long allRows() {
        return (long) matrices * rows;
    }
}
