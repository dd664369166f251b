package poot.backend.cpu.kernel.matmul;

import java.lang.foreign.MemorySegment;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.kernel.weight.Activations;
import poot.backend.cpu.kernel.weight.RowReader;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.work.Work;

/**
 * x [.., m, k] times the transpose of a stored weight [.., n, k]: the one tiling of every format. Up to {@link #FEW}
 * rows of x are multiplied with the weight as stored, row by row: bound by reading the weight once. More share panels
 * of {@link #PANEL} weight rows, decoded once into scratch that stays in cache.
 */
public final class WeightProduct implements Step {
    /** Rows of x for which decoding into panels does not pay. */
    private static final int FEW = 2;
    /** Weight rows of a panel. */
    private static final int PANEL = 16;
    /** Elements of a panel row: a multiple of every block size. */
    private static final int DEPTH = 1024;

    private final RowReader rows;
    private final Region x;
    private final Region out;
    private final int m;
    private final int n;
    private final int k;
    private final long batches;
    private final Batches left;
    private final Batches right;
    private final Workspace workspace;
    private final Activations vectors;
    private final long rowGrain;
    private final Work few = this::few;
    private final Work panels = this::panels;

    /** x of shape {@code from}, result of shape {@code to}; a weight of two axes serves all leading axes at once. */
    public WeightProduct(Weight weight, Region x, Shape from, Region out, Shape to, Workspace workspace) {
        this.rows = RowReader.of(weight, workspace);
        this.x = x;
        this.out = out;
        this.workspace = workspace;
        this.n = to.dim(-1);
        this.k = from.dim(-1);
        Shape weightLead = weight.shape().slice(0, weight.shape().rank() - 2);
        boolean flat = weightLead.count() == 1 && from.slice(0, from.rank() - 2).count() == to.slice(0, to.rank() - 2).count();
        Shape lead = flat ? Shape.SCALAR : to.slice(0, to.rank() - 2);
        this.m = flat ? Math.toIntExact(to.count() / Math.max(1, n)) : to.dim(-2);
        this.batches = lead.count();
        this.left = new Batches(flat ? Shape.SCALAR : from.slice(0, from.rank() - 2), lead);
        this.right = new Batches(flat ? Shape.SCALAR : weightLead, lead);
        this.rowGrain = Math.max(4, 32768 / Math.max(1, k));
        this.vectors = new Activations(k, m <= FEW ? Math.toIntExact(batches * m) : 0, rows.readsCopy());
        if (m > FEW) {
            workspace.reserveWorker(4L * PANEL * stride());
        }
    }

    private int stride() {
        return Math.min(k, DEPTH);
    }

    @Override
    public void run(Team team) {
        if (m <= FEW) {
            for (int i = 0; i < batches * m; i++) {
                vectors.take(i, x.segment(), x.offset() + 4 * (left.at(i / m) * m + i % m) * k);
            }
            team.run(few, m == 0 ? 0 : batches * n, rowGrain);
        } else {
            team.run(panels, batches * Math.ceilDiv(n, PANEL), 1);
        }
    }

    private void few(int worker, long from, long to) {
        long at = from;
        while (at < to) {
            int batch = (int) (at / n);
            int row = (int) (at % n);
            int count = (int) Math.min(n - row, to - at);
            long first = right.at(batch) * n + row;
            for (int i = 0; i < m; i++) {
                int vector = batch * m + i;
                rows.dots(worker, vectors, vector, first, count, out.segment(), out.offset() + 4 * ((long) vector * n + row));
            }
            at += count;
        }
    }

    private void panels(int worker, long from, long to) {
        int per = Math.ceilDiv(n, PANEL);
        for (long task = from; task < to; task++) {
            long batch = task / per;
            int row = (int) (task % per) * PANEL;
            panel(worker, batch, row, Math.min(PANEL, n - row));
        }
    }

    private void panel(int worker, long batch, int row, int count) {
        MemorySegment scratch = workspace.worker();
        long panel = workspace.workerAt(worker);
        long stride = 4L * stride();
        long first = right.at(batch) * n + row;
        long p = x.offset() + 4 * left.at(batch) * m * k;
        long put = out.offset() + 4 * (batch * m * n + row);
        int depth = 0;
        do {
            int now = Math.min(DEPTH, k - depth);
            for (int i = 0; i < count; i++) {
                rows.decode(worker, first + i, depth, now, scratch, panel + i * stride);
            }
            DotTile.multiply(
                    x.segment(), p + 4L * depth, 4L * k, m, scratch, panel, stride, count, now, out.segment(), put, 4L * n,
                    depth > 0, workspace.lanes(worker));
            depth += DEPTH;
        } while (depth < k);
    }
}
