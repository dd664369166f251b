package poot.backend.cpu.kernel.matmul;

import java.lang.foreign.MemorySegment;
import poot.backend.cpu.kernel.weight.Activations;
import poot.backend.cpu.kernel.weight.Dots;
import poot.backend.cpu.kernel.weight.RowReader;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;
import poot.backend.cpu.work.Team;

/**
 * The portable product with a stored weight: the one tiling of every format. Up to {@link #FEW} rows of x are
 * multiplied with the weight as stored, row by row: bound by reading the weight once. More share panels of
 * {@link #PANEL} weight rows, decoded once into scratch that stays in cache. Both add in the order of {@link Dots}, so that
 * the bits of a row do not depend on the rows of x, nor on the ranges, nor on the threads.
 */
final class WeightProduct implements TiledProduct {
    /** Rows of x for which decoding into panels does not pay. */
    private static final int FEW = 2;
    /** Weight rows of a panel. */
    private static final int PANEL = 16;
    /** Elements of a panel row. */
    private static final int DEPTH = Dots.STRETCH;

    private final RowReader weight;
    private final long first;
    private final Region x;
    private final long xAt;
    private final int m;
    private final int n;
    private final int k;
    private final Workspace workspace;
    private final Activations vectors;

    /** x [m, k] from byte {@code xAt} of its region on, weight rows {@code first} to {@code first + n}. */
    WeightProduct(RowReader weight, long first, int n, Region x, long xAt, int m, Workspace workspace) {
        this.weight = weight;
        this.first = first;
        this.x = x;
        this.xAt = xAt;
        this.m = m;
        this.n = n;
        this.k = weight.columns();
        this.workspace = workspace;
        this.vectors = new Activations(k, m <= FEW ? m : 0, weight.readsCopy());
        if (m > FEW) {
            workspace.reserveWorker(4L * PANEL * width());
        }
    }

    private int width() {
        return Math.min(k, DEPTH);
    }

    @Override
    public int rows() {
        return m;
    }

    @Override
    public int columns() {
        return n;
    }

    @Override
    public int depth() {
        return k;
    }

    @Override
    public int grain() {
        return PANEL;
    }

    @Override
    public void stage(Team team) {
        if (m <= FEW) {
            for (int i = 0; i < m; i++) {
                vectors.take(i, x.segment(), x.offset() + xAt + 4L * i * k);
            }
        }
    }

    @Override
    public void run(int worker, int from, int to, MemorySegment out, long at, long stride) {
        if (m <= FEW) {
            for (int i = 0; i < m; i++) {
                weight.dots(worker, vectors, i, first + from, to - from, out, at + i * stride);
            }
        } else {
            for (int row = from; row < to; row += PANEL) {
                panel(worker, row, Math.min(PANEL, to - row), out, at + 4L * (row - from), stride);
            }
        }
    }

    private void panel(int worker, int row, int count, MemorySegment out, long at, long stride) {
        MemorySegment scratch = workspace.worker();
        long panel = workspace.workerAt(worker);
        long panelStride = 4L * width();
        long p = x.offset() + xAt;
        int depth = 0;
        do {
            int now = Math.min(DEPTH, k - depth);
            for (int i = 0; i < count; i++) {
                weight.decode(worker, first + row + i, depth, now, scratch, panel + i * panelStride);
            }
            DotTile.multiply(
                    x.segment(), p + 4L * depth, 4L * k, m, scratch, panel, panelStride, count, now, out, at, stride,
                    depth > 0, workspace.lanes(worker));
            depth += DEPTH;
        } while (depth < k);
    }
}
