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
        for (int i = 0; i < count; i += Dots.ROWS) {
            int rows = Math.min(Dots.ROWS, count - i);
            for (int k = 0; k == 0 || k < columns; k += Dots.STRETCH) {
                lanes(worker, at(from + i, k), rows - 1, v, vAt + 4L * k, Math.min(Dots.STRETCH, columns - k));
                Dots.put(workspace.lanes(worker), rows, out, to + 4L * i, k > 0);
            }
            for (int r = 0; Lanes.whole(columns) < columns && r < rows; r++) {
                Dots.put(out, to + 4L * (i + r), tail(from + i + r, v, vAt), true);
            }
        }
    }

    private void lanes(int worker, long at, int last, MemorySegment v, long vAt, int n) {
        float[] lanes = workspace.lanes(worker);
        if (element == ElementType.F32) {
            Dots.floats(bytes, at, 4 * stride, last, v, vAt, n, lanes);
            return;
        }
        if (element == ElementType.BF16 && Lanes.NARROW) {
            Dots.brains(bytes, at, 2 * stride, last, v, vAt, n, lanes);
            return;
        }
        float[] wide = workspace.wide(worker);
        for (int r = 0; r <= last; r++) {
            long row = at + 2 * r * stride;
            if (element == ElementType.F16) {
                Dense.widenF16(bytes, row, workspace.halves(worker), wide, r * Dots.STRETCH, n);
            } else {
                for (int i = 0; i < n; i++) {
                    wide[r * Dots.STRETCH + i] = Dense.brain(bytes, row + 2L * i);
                }
            }
        }
        Dots.floats(wide, 0, Dots.STRETCH, last, v, vAt, n, lanes);
    }

    /** The last elements of a row, fewer than a vector. */
    private float tail(long row, MemorySegment v, long vAt) {
        float sum = 0;
        for (int k = Lanes.whole(columns); k < columns; k++) {
            long at = at(row, k);
            float w = switch (element) {
                case F32 -> bytes.get(Lanes.FLOAT, at);
                case F16 -> Float.float16ToFloat(bytes.get(Lanes.SHORT, at));
                case BF16 -> Dense.brain(bytes, at);
                case I32, U32, BOOL, PACKED -> throw new IllegalStateException("dense rows of " + element);
            };
            sum += w * v.get(Lanes.FLOAT, vAt + 4L * k);
        }
        return sum;
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
