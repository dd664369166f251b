package poot.backend.cpu.kernel.matmul;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import poot.api.executor.ExecutorException;
import poot.api.graph.Weight;
import poot.backend.cpu.emit.Emitter;
import poot.backend.cpu.emit.Staged;
import poot.backend.cpu.ffi.NativeCode;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.kernel.Emitted;
import poot.backend.cpu.x86.weight.Layout;
import poot.backend.cpu.x86.weight.StoredRows;

/**
 * A product with a packed weight by emitted code. Activations are staged as 16-bit integers with a
 * scale a group; a group's sum is exact, and the groups' sums are added in F32 in the order of k, one output at a time. The
 * bits depend neither on the rows of x, nor on the vectors, nor on the threads.
 */
final class EmittedProduct implements TiledProduct {
    /** Groups of weight rows whose panels are kept at once: a tile of activations is read for all of them. */
    private static final int GROUPS = 2;
    /** Columns of a range where weights are read as stored. */
    private static final int RANGE = 64;

    private final MemorySegment bytes;
    private final long first;
    private final long rowBytes;
    private final StoredRows stored;
    private final Layout layout;
    private final Simd simd;
    private final Staged x;
    private final boolean owner;
    private final int m;
    private final int n;
    private final int k;
    private final int tile;
    private final boolean few;
    private final long panelBytes;
    private final Workspace workspace;
    private final NativeCode rows;
    private final NativeCode panel;
    private final NativeCode multiply;
    private final NativeCode rest;

    private EmittedProduct(Emitter emitter, Weight w, StoredRows stored, Region from, int m, Workspace workspace)
            throws ExecutorException {
        this.stored = stored;
        this.layout = Emitted.layout(emitter.simd(), stored, m);
        this.simd = emitter.simd();
        this.m = m;
        this.n = w.shape().dim(-2);
        this.k = w.shape().dim(-1);
        this.bytes = w.parts().getFirst();
        this.rowBytes = (long) w.columns() / layout.step() * stored.stepBytes();
        this.first = w.firstRow() * rowBytes;
        this.workspace = workspace;
        this.few = m <= Emitted.few(simd, stored);
        this.tile = Math.min(m, Emitted.tile(simd));
        Staged.Shared shared = Staged.of(emitter, from, m, k, layout, tile, workspace);
        this.x = shared.staged();
        this.owner = shared.first();
        this.panelBytes = (long) k / layout.group() * layout.panelBytes(simd.width());
        workspace.reserveWorker(ColumnGroups.BYTES + (few ? 0 : GROUPS * panelBytes));
        this.rows = few ? emitter.rows(w.format().encoding(), stored, m) : null;
        this.panel = few ? null : emitter.panel(w.format().encoding(), stored);
        this.multiply = few ? null : emitter.multiply(layout, tile);
        this.rest = few || m % tile == 0 ? null : emitter.multiply(layout, m % tile);
    }

    /** The product, if there is code for the weight's format and extents. */
    static Optional<TiledProduct> of(Emitter emitter, Weight w, Region x, int m, Workspace workspace)
            throws ExecutorException {
        Optional<StoredRows> stored = StoredRows.of(w.format().encoding());
        if (stored.isEmpty() || m == 0) {
            return Optional.empty();
        }
        int step = stored.get().layout().step();
        boolean fits = w.shape().dim(-1) > 0 && w.shape().dim(-1) % step == 0 && w.columns() % step == 0 && w.firstColumn() == 0
                && w.shape().dim(-2) >= emitter.simd().lanes() && w.parts().getFirst().isNative();
        return fits ? Optional.of(new EmittedProduct(emitter, w, stored.get(), x, m, workspace)) : Optional.empty();
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
        return few ? RANGE : GROUPS * simd.lanes();
    }

    @Override
    public void stage(Team team) {
        if (owner) {
            x.run(team);
        }
    }

    @Override
    public void run(int worker, int from, int to, MemorySegment out, long at, long stride) {
        MemorySegment scratch = workspace.worker();
        long base = workspace.workerAt(worker);
        scratch.set(ValueLayout.JAVA_LONG, base + Emitted.ROW_BYTES, rowBytes);
        scratch.set(ValueLayout.JAVA_LONG, base + Emitted.STEPS, k / layout.step());
        scratch.set(ValueLayout.JAVA_LONG, base + Emitted.OUT_BYTES, stride);
        scratch.set(ValueLayout.JAVA_LONG, base + Emitted.TILE_BYTES, x.tileBytes());
        ColumnGroups.run(simd, scratch, base, from, to, NativeCode.address(out, at), (row, count, y, mask) -> {
            long sizes = NativeCode.address(scratch, base);
            long w = NativeCode.address(bytes, first + row * rowBytes);
            if (few) {
                rows.call(bytes, sizes, w, x.address(0), y, count, mask, 0, 0);
                return;
            }
            for (int i = 0; i < count; i += GROUPS) {
                panels(sizes, i, Math.min(GROUPS, count - i), w, y, stride, mask);
            }
        });
    }

    /** Groups {@code from} to from + {@code count} - 1: their panels, then each tile of x times all of them. */
    private void panels(long sizes, int from, int count, long w, long y, long stride, long mask) {
        int lanes = simd.lanes();
        int steps = k / layout.step();
        long to = sizes + ColumnGroups.BYTES;
        for (int i = 0; i < count; i++) {
            long rows = w + (from + i) * lanes * rowBytes;
            panel.call(bytes, sizes, rows, to + i * panelBytes, rows + lanes * rowBytes, 0, 0, steps, 0);
        }
        for (int at = 0; at < m; at += tile) {
            NativeCode code = at + tile <= m ? multiply : rest;
            long tileOfX = x.address(at / tile);
            for (int i = 0; i < count; i++) {
                long out = y + at * stride + 4L * (from + i) * lanes;
                code.call(bytes, sizes, to + i * panelBytes, tileOfX, out, 1, mask, steps, 0);
            }
        }
    }
}
