package poot.backend.cpu.kernel.weight;

import static poot.backend.cpu.kernel.Lanes.FLOAT;

import java.lang.foreign.MemorySegment;
import poot.api.graph.Weight;
import poot.backend.cpu.kernel.Lanes;
import poot.backend.cpu.memory.Workspace;

/** Rows of any format through the format's own decode. */
final class DecodedRows implements RowReader {
    private final Weight weight;
    private final int columns;
    private final Workspace workspace;

    DecodedRows(Weight weight, Workspace workspace) {
        this.weight = weight;
        this.columns = weight.shape().rank() == 0 ? 1 : weight.shape().dim(-1);
        this.workspace = workspace;
        workspace.reserveRow(Math.multiplyExact(Dots.ROWS, columns));
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public boolean readsCopy() {
        return false;
    }

    @Override
    public void dots(int worker, Activations x, int index, long from, int count, MemorySegment out, long to) {
        float[] row = workspace.row(worker);
        float[] lanes = workspace.lanes(worker);
        for (int i = 0; i < count; i += Dots.ROWS) {
            int rows = Math.min(Dots.ROWS, count - i);
            for (int r = 0; r < rows; r++) {
                weight.decode(from + i + r, 0, columns, row, r * columns);
            }
            for (int k = 0; k == 0 || k < columns; k += Dots.STRETCH) {
                int n = Math.min(Dots.STRETCH, columns - k);
                Dots.floats(row, k, columns, rows - 1, x.segment(), x.at(index) + 4L * k, n, lanes);
                Dots.put(lanes, rows, out, to + 4L * i, k > 0);
            }
            for (int r = 0; Lanes.whole(columns) < columns && r < rows; r++) {
                Dots.put(out, to + 4L * (i + r), tail(row, r * columns, x.segment(), x.at(index)), true);
            }
        }
    }

    /** The last elements of a row, fewer than a vector. */
    private float tail(float[] row, int first, MemorySegment x, long at) {
        float sum = 0;
        for (int k = Lanes.whole(columns); k < columns; k++) {
            sum += row[first + k] * x.get(FLOAT, at + 4L * k);
        }
        return sum;
    }

    @Override
    public void decode(int worker, long row, int column, int count, MemorySegment out, long to) {
        float[] scratch = workspace.row(worker);
        weight.decode(row, column, count, scratch, 0);
        MemorySegment.copy(scratch, 0, out, FLOAT, to, count);
    }
}
