package poot.backend.cpu.kernel.weight;

import java.lang.foreign.MemorySegment;
import poot.api.graph.ElementType;
import poot.api.graph.Weight;
import poot.backend.cpu.kernel.Lanes;
import poot.backend.cpu.memory.Workspace;

/** Rows of F32, F16 or BF16, read where they are mapped. */
final class DenseRows implements RowReader {
    private final MemorySegment bytes;
    private final ElementType element;
    private final long first;
    private final long stride;
    private final int columns;
    private final Workspace workspace;

    DenseRows(Weight w, Workspace workspace) {
        this.workspace = workspace;
        this.bytes = w.parts().getFirst();
        this.element = w.format().encoding().element();
        this.stride = w.stored().rank() == 0 ? 1 : w.columns();
        this.first = w.firstRow() * stride + w.firstColumn();
        this.columns = w.shape().rank() == 0 ? 1 : w.shape().dim(-1);
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public boolean readsCopy() {
        return false;
    }

    private long at(long row, int column) {
        return element.bytes() * (first + row * stride + column);
    }

    @Override
    public void dots(int worker, Activations x, int index, long from, int count, MemorySegment out, long to) {
        MemorySegment v = x.segment();
        long vAt = x.at(index);
        for (int i = 0; i < count; i++) {
            long at = at(from + i, 0);
            float dot = switch (element) {
                case F32 -> Dense.dot(bytes, at, v, vAt, columns);
                case F16 -> Dense.dotF16(bytes, at, v, vAt, columns, workspace, worker);
                case BF16 -> Dense.dotBf16(bytes, at, v, vAt, columns);
                case I32, U32, BOOL, PACKED -> throw new IllegalStateException("dense rows of " + element);
            };
            out.set(Lanes.FLOAT, to + 4L * i, dot);
        }
    }

    @Override
    public void decode(int worker, long row, int column, int count, MemorySegment out, long to) {
        switch (element) {
            case F32 -> MemorySegment.copy(bytes, at(row, column), out, to, 4L * count);
            case F16 -> Dense.widenF16(bytes, at(row, column), count, out, to, workspace, worker);
            case BF16 -> Dense.widenBf16(bytes, at(row, column), count, out, to);
            case I32, U32, BOOL, PACKED -> throw new IllegalStateException("dense rows of " + element);
        }
    }
}
