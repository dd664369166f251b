package poot.backend.cpu.kernel.weight;

import poot.api.graph.Weight;
import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.work.Work;

/** A stored weight as F32, for the few places that want all of it: norms, biases, small tables. */
public final class WeightDecode implements Step {
    private final RowReader rows;
    private final Region out;
    private final long count;
    private final Work body = this::range;

    /** {@code weight} to F32 {@code out} of its shape. */
    public WeightDecode(Weight weight, Region out, Workspace workspace) {
        this.rows = RowReader.of(weight, workspace);
        this.out = out;
        this.count = weight.rowCount();
    }

    @Override
    public void run(Team team) {
        team.run(body, count, Math.max(1, 16384 / Math.max(1, rows.columns())));
    }

    private void range(int worker, long from, long to) {
        int n = rows.columns();
        for (long row = from; row < to; row++) {
            rows.decode(worker, row, 0, n, out.segment(), out.offset() + 4 * row * n);
        }
    }
}
