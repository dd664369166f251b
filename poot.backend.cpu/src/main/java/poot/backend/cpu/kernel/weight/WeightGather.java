package poot.backend.cpu.kernel.weight;

import static poot.backend.cpu.kernel.Lanes.INT;

import poot.api.graph.Weight;
import poot.backend.cpu.kernel.Ranged;
import poot.backend.cpu.kernel.move.Zeros;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;
import poot.backend.cpu.work.Work;

/** Rows of a stored weight by index, decoded to F32: an embedding. An index outside gives zeros. */
public final class WeightGather implements Ranged {
    private final RowReader rows;
    private final Region indices;
    private final Region out;
    private final int extent;
    private final long per;
    private final long count;
    private final Work body = this::range;

    /** weight [extent, ..], indices I32 [count], to F32 out [count, ..]. */
    public WeightGather(Weight weight, Region indices, Region out, long count, Workspace workspace) {
        this.rows = RowReader.of(weight, workspace);
        this.indices = indices;
        this.out = out;
        this.extent = weight.shape().dim(0);
        this.per = weight.rowCount() / Math.max(1, extent);
        this.count = count;
    }

    @Override
    public long items() {
        return count * per;
    }

    @Override
    public long grain() {
        return Math.max(1, 8192 / Math.max(1, rows.columns()));
    }

    @Override
    public Work body() {
        return body;
    }

    private void range(int worker, long from, long to) {
        int n = rows.columns();
        for (long i = from; i < to; i++) {
            int index = indices.segment().get(INT, indices.offset() + 4 * (i / per));
            long put = out.offset() + 4 * i * n;
            if (index >= 0 && index < extent) {
                rows.decode(worker, index * per + i % per, 0, n, out.segment(), put);
            } else {
                Zeros.put(out.segment(), put, 4L * n);
            }
        }
    }
}
