package poot.backend.cpu.kernel.weight;

import java.lang.foreign.MemorySegment;
import poot.api.graph.Encoding;
import poot.api.graph.Weight;
import poot.backend.cpu.kernel.Lanes;
import poot.backend.cpu.memory.Workspace;

/** Rows of whole blocks in one part: the packed bytes of a row are copied to the worker's array and read there. */
final class BlockRows implements RowReader {
    private final MemorySegment bytes;
    private final BlockKernel kernel;
    private final Encoding encoding;
    private final long first;
    private final long rowBytes;
    private final int columns;
    private final Workspace workspace;

    BlockRows(Weight w, BlockKernel kernel, Workspace workspace) {
        this.kernel = kernel;
        this.encoding = w.format().encoding();
        this.bytes = w.parts().getFirst();
        this.rowBytes = packed(w.columns());
        this.first = w.firstRow() * rowBytes + packed(w.firstColumn());
        this.columns = w.shape().dim(-1);
        this.workspace = workspace;
        workspace.reservePacked(Math.toIntExact(2 * packed(columns)));
    }

    private long packed(int elements) {
        return (long) (elements / encoding.blockElements()) * encoding.blockBytes();
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public boolean readsCopy() {
        return true;
    }

    @Override
    public void dots(int worker, Activations x, int index, long from, int count, MemorySegment out, long to) {
        byte[] row = workspace.packed(worker);
        int size = (int) packed(columns);
        float[] lanes = workspace.lanes(worker);
        for (int i = 0; i < count; i += 2) {
            int rows = Math.min(2, count - i);
            for (int r = 0; r < rows; r++) {
                MemorySegment.copy(bytes, Lanes.BYTE, first + (from + i + r) * rowBytes, row, r * size, size);
            }
            for (int k = 0; k == 0 || k < columns; k += Dots.STRETCH) {
                int at = (int) packed(k);
                kernel.dots(row, at, (rows - 1) * size + at, Math.min(Dots.STRETCH, columns - k), x.values(), x.valuesAt(index) + k, lanes);
                Dots.put(lanes, rows, out, to + 4L * i, k > 0);
            }
        }
    }

    @Override
    public void decode(int worker, long row, int column, int count, MemorySegment out, long to) {
        byte[] packed = workspace.packed(worker);
        MemorySegment.copy(bytes, Lanes.BYTE, first + row * rowBytes + packed(column), packed, 0, (int) packed(count));
        kernel.decode(packed, count, out, to);
    }
}
