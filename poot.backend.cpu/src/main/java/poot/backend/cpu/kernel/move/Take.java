package poot.backend.cpu.kernel.move;

import static poot.backend.cpu.kernel.Lanes.INT;

import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.work.Work;

/** Elements of the last axis by index; an index outside gives zero. */
public final class Take implements Step {
    private static final long GRAIN = 8192;

    private final Region data;
    private final Region indices;
    private final Region out;
    private final int n;
    private final int k;
    private final long rows;
    private final int bytes;
    private final Work body = this::range;

    /** data [rows, n] of elements of {@code bytes} bytes, indices I32 [rows, k], to out [rows, k]. */
    public Take(Region data, Region indices, Region out, int n, int k, long rows, int bytes) {
        this.data = data;
        this.indices = indices;
        this.out = out;
        this.n = n;
        this.k = k;
        this.rows = rows;
        this.bytes = bytes;
    }

    @Override
    public void run(Team team) {
        team.run(body, rows * k, GRAIN);
    }

    private void range(int worker, long from, long to) {
        for (long i = from; i < to; i++) {
            int column = indices.segment().get(INT, indices.offset() + 4 * i);
            long put = out.offset() + i * bytes;
            if (column >= 0 && column < n) {
                Elements.copy(data.segment(), data.offset() + (i / k * n + column) * bytes, out.segment(), put, bytes);
            } else {
                Zeros.put(out.segment(), put, bytes);
            }
        }
    }
}
