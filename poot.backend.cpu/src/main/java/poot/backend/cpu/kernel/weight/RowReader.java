package poot.backend.cpu.kernel.weight;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import poot.api.graph.Weight;
import poot.backend.cpu.memory.Workspace;

/** Reads the rows of one stored weight, counted over its flattened leading axes; the last axis is the row. */
public interface RowReader {
    /** Elements of a row. */
    int columns();

    /** Whether {@link #dots} reads the vector's copy. */
    boolean readsCopy();

    /** out[i] = Σ row(first + i) · x for {@code count} rows and vector {@code index} of {@code x}. */
    void dots(int worker, Activations x, int index, long first, int count, MemorySegment out, long to);

    /** Decodes elements {@code column} … of a row to F32; both bounds are block boundaries. */
    void decode(int worker, long row, int column, int count, MemorySegment out, long to);

    /** The reader of a weight; its scratch is reserved in {@code workspace}. */
    static RowReader of(Weight w, Workspace workspace) {
        if (w.format().encoding().isDense()) {
            return new DenseRows(w, workspace);
        }
        Optional<BlockKernel> kernel = BlockKernel.of(w.format().encoding());
        return kernel.isPresent() ? new BlockRows(w, kernel.get(), workspace) : new DecodedRows(w, workspace);
    }
}
