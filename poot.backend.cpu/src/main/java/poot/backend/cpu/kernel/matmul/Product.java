package poot.backend.cpu.kernel.matmul;

import java.lang.foreign.MemorySegment;
import poot.api.graph.Shape;
import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.work.Work;

/** a [.., m, k] times b [.., k, n], or b [.., n, k] when transposed; F32; the leading axes broadcast. */
public final class Product implements Step {
    /** Rows and columns of one task. */
    private static final int ROWS = 32;
    private static final int COLUMNS = 128;

    private final Region a;
    private final Region b;
    private final Region out;
    private final boolean transposed;
    private final int m;
    private final int n;
    private final int k;
    private final long batches;
    private final Batches left;
    private final Batches right;
    private final long down;
    private final long across;
    private final Workspace workspace;
    private final Work body = this::range;

    /** Operands of shapes {@code x} and {@code y}, result of shape {@code z}. */
    public Product(boolean transposed, Region a, Shape x, Region b, Shape y, Region out, Shape z, Workspace workspace) {
        this.transposed = transposed;
        this.a = a;
        this.b = b;
        this.out = out;
        this.workspace = workspace;
        this.m = z.dim(-2);
        this.n = z.dim(-1);
        this.k = x.dim(-1);
        Shape lead = z.slice(0, z.rank() - 2);
        this.batches = lead.count();
        this.left = new Batches(x.slice(0, x.rank() - 2), lead);
        this.right = new Batches(y.slice(0, y.rank() - 2), lead);
        this.down = Math.ceilDiv(m, ROWS);
        this.across = Math.ceilDiv(n, COLUMNS);
    }

    @Override
    public void run(Team team) {
        long work = Math.max(1, (long) Math.min(m, ROWS) * Math.min(n, COLUMNS) * k);
        team.run(body, batches * down * across, Math.max(1, 32768 / work));
    }

    private void range(int worker, long from, long to) {
        for (long task = from; task < to; task++) {
            long batch = task / (down * across);
            int i = (int) (task / across % down) * ROWS;
            int j = (int) (task % across) * COLUMNS;
            tile(worker, batch, i, Math.min(ROWS, m - i), j, Math.min(COLUMNS, n - j));
        }
    }

    private void tile(int worker, long batch, int i, int rows, int j, int columns) {
        MemorySegment c = out.segment();
        long p = a.offset() + 4 * (left.at(batch) * m * k + (long) i * k);
        long to = out.offset() + 4 * (batch * m * n + (long) i * n + j);
        long q = b.offset() + 4 * right.at(batch) * n * k;
        if (transposed) {
            long at = q + 4L * j * k;
            DotTile.multiply(a.segment(), p, 4L * k, rows, b.segment(), at, 4L * k, columns, k, c, to, 4L * n, false,
                    workspace.lanes(worker));
        } else {
            SumTile.multiply(a.segment(), p, 4L * k, rows, b.segment(), q + 4L * j, 4L * n, columns, k, c, to, 4L * n, false);
        }
    }
}
