package poot.backend.cpu.kernel.weight;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.FLOAT;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import poot.api.graph.Weight;
import poot.backend.cpu.kernel.Lanes;
import poot.backend.cpu.memory.Workspace;

/** Rows of any format, one at a time through the format's own decode. */
final class DecodedRows implements RowReader {
    private final Weight weight;
    private final int columns;
    private final Workspace workspace;

    DecodedRows(Weight weight, Workspace workspace) {
        this.weight = weight;
        this.columns = weight.shape().rank() == 0 ? 1 : weight.shape().dim(-1);
        this.workspace = workspace;
        workspace.reserveRow(columns);
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
        for (int i = 0; i < count; i++) {
            weight.decode(from + i, 0, columns, row, 0);
            out.set(FLOAT, to + 4L * i, dot(row, x.segment(), x.at(index), columns));
        }
    }

    /** Σ row · x over the first {@code n} elements of {@code row}. */
    static float dot(float[] row, MemorySegment x, long at, int n) {
        FloatVector a = FloatVector.zero(F32);
        FloatVector b = FloatVector.zero(F32);
        int i = 0;
        for (int end = n & -2 * COUNT; i < end; i += 2 * COUNT) {
            a = FloatVector.fromArray(F32, row, i).fma(Lanes.load(x, at + 4L * i), a);
            b = FloatVector.fromArray(F32, row, i + COUNT).fma(Lanes.load(x, at + 4L * (i + COUNT)), b);
        }
        float sum = Lanes.sum(a.add(b));
        for (; i < n; i++) {
            sum += row[i] * x.get(FLOAT, at + 4L * i);
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
