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
        workspace.reservePacked((int) packed(columns));
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
        for (int i = 0; i < count; i++) {
            MemorySegment.copy(bytes, Lanes.BYTE, first + (from + i) * rowBytes, row, 0, size);
            float dot = kernel.dot(row, columns, x.values(), x.valuesAt(index), x.sums(), x.sumsAt(index));
            out.set(Lanes.FLOAT, to + 4L * i, dot);
        }
    }

    @Override
    public void decode(int worker, long row, int column, int count, MemorySegment out, long to) {
        byte[] packed = workspace.packed(worker);
        MemorySegment.copy(bytes, Lanes.BYTE, first + row * rowBytes + packed(column), packed, 0, (int) packed(count));
        kernel.decode(packed, count, out, to);
    }
}
