package poot.backend.cpu.kernel.row;

import java.util.List;
import poot.backend.cpu.kernel.Ranged;
import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.work.Work;

/** Steps done together on some rows at a time: what one leaves of a row the next finds in cache. */
public final class RowGroup implements Step {
    private final Ranged[] parts;
    private final long rows;
    private final long grain;
    private final Work body = this::range;

    /** Steps whose items are a multiple of {@code rows}, in the order they are done on a row. */
    public RowGroup(List<Ranged> parts, long rows) {
        this.parts = parts.toArray(Ranged[]::new);
        this.rows = rows;
        double row = 0; // of what is worth sharing
        for (Ranged p : parts) {
            row += (double) p.items() / rows / p.grain();
        }
        this.grain = Math.max(1, (long) (1 / Math.max(row, 1e-9)));
    }

    @Override
    public void run(Team team) {
        team.run(body, rows, grain);
    }

    private void range(int worker, long from, long to) {
        for (Ranged p : parts) {
            long each = p.items() / rows;
            p.body().run(worker, from * each, to * each);
        }
    }
}
