package poot.backend.cpu.kernel.weight;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import poot.api.graph.Weight;

/** Reads the rows of one stored weight, counted over its flattened leading axes; the last axis is the row. */
public interface RowReader {
    /** Elements of a row. */
    int columns();

    /** Whether {@link #dots} reads the sums of the vector; see {@link BlockKernel}. */
    boolean readsSums();

    /** Floats of heap scratch a worker must offer. */
    int scratch();

    /**
     * out[i] = Σ row(first + i) · x for {@code count} rows.
     *
     * @param x       F32; the vector begins at byte {@code xAt}
     * @param sums    F32; its sums begin at byte {@code sumsAt}; unspecified where not read
     * @param scratch at least {@link #scratch} floats
     */
    void dots(
            MemorySegment x, long xAt, MemorySegment sums, long sumsAt, long first, int count, MemorySegment out, long to,
            float[] scratch);

    /** Decodes elements {@code column} … of a row to F32; both bounds are block boundaries. */
    void decode(long row, int column, int count, MemorySegment out, long to, float[] scratch);

    /** The reader of a weight. */
    static RowReader of(Weight w) {
        Optional<BlockKernel> kernel = BlockKernel.of(w.format().encoding());
        return kernel.isPresent() ? new BlockRows(w, kernel.get()) : new DecodedRows(w);
    }
}
