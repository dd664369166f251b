package poot.backend.cpu.kernel.weight;

import java.lang.foreign.MemorySegment;
import poot.api.graph.Encoding;
import poot.api.graph.Weight;
import poot.backend.cpu.kernel.Lanes;

/** Rows of whole blocks in one part, read by the vector code of their encoding. */
final class BlockRows implements RowReader {
    private final MemorySegment bytes;
    private final BlockKernel kernel;
    private final Encoding encoding;
    private final long first;
    private final long rowBytes;
    private final int columns;

    BlockRows(Weight w, BlockKernel kernel) {
        this.kernel = kernel;
        this.encoding = w.format().encoding();
        this.bytes = w.parts().getFirst();
        this.rowBytes = (long) (w.columns() / encoding.blockElements()) * encoding.blockBytes();
        this.first = w.firstRow() * rowBytes + (long) (w.firstColumn() / encoding.blockElements()) * encoding.blockBytes();
        this.columns = w.shape().rank() == 0 ? 1 : w.shape().dim(-1);
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public boolean readsSums() {
        return kernel.readsSums();
    }

    @Override
    public int scratch() {
        return 0;
    }

    @Override
    public void dots(
            MemorySegment x, long xAt, MemorySegment sums, long sumsAt, long from, int count, MemorySegment out, long to,
            float[] scratch) {
        for (int i = 0; i < count; i++) {
            float dot = kernel.dot(bytes, rowAt(from + i), columns, x, xAt, sums, sumsAt);
            out.set(Lanes.FLOAT, to + 4L * i, dot);
        }
    }

    @Override
    public void decode(long row, int column, int count, MemorySegment out, long to, float[] scratch) {
        long at = rowAt(row) + (long) (column / encoding.blockElements()) * encoding.blockBytes();
        kernel.decode(bytes, at, count, out, to);
    }

    private long rowAt(long row) {
        return first + row * rowBytes;
    }
}
