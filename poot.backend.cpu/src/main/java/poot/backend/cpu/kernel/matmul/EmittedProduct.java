package poot.backend.cpu.kernel.matmul;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import poot.api.executor.ExecutorException;
import poot.api.graph.Weight;
import poot.backend.cpu.emit.Emitter;
import poot.backend.cpu.emit.Staged;
import poot.backend.cpu.ffi.NativeCode;
import poot.backend.cpu.kernel.weight.Copies;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.kernel.Emitted;
import poot.backend.cpu.x86.weight.Interleaving;
import poot.backend.cpu.x86.weight.Layout;
import poot.backend.cpu.x86.weight.Placement;

/**
 * A product with a stored weight by emitted code. Activations of packed formats are staged as 16-bit integers with a
 * scale a group; a group's sum is exact, and the groups' sums are added in F32 in the order of k, one output at a time; of
 * weights that become F32 even and odd elements are added apart, each in that order. The bits depend neither on the rows of
 * x, nor on the vectors, nor on the threads.
 */
final class EmittedProduct implements TiledProduct {
    /** Groups of weight rows whose panels are kept at once: a tile of activations is read for all of them. */
    private static final int GROUPS = 2;
    /**
     * Tiles of x for which interleaved weights are decoded anew while they stay in a cache, at most; more of them read panels.
     * Measured with 8, 16, 32 and 64 rows: 1.4, 1.6, 1.3 and 1.15 times as fast (Q8_0 and Q4_K, wide vectors).
     */
    private static final int PASSES = 8;
    /** Columns of a range where weights are read as stored. */
    private static final int RANGE = 64;

    private final PartCalls calls;
    private final MemorySegment bytes;
    private final Placement placed;
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
    private final NativeCode panel;
    private final NativeCode whole;
    private final NativeCode rest;

    private EmittedProduct(Emitter emitter, Weight w, Placement placed, Region from, int m, Workspace workspace)
            throws ExecutorException {
        this.placed = placed;
        int most = Emitted.few(emitter.simd(), placed.rows());
        boolean again = placed.order().isPresent() && emitter.simd().wide() && !placed.rows().layout().floating();
        this.few = m <= (again ? PASSES * most : most);
        int fewer = Math.ceilDiv(m, Math.ceilDiv(m, most));
        this.layout = few ? Emitted.layout(emitter.simd(), placed.rows(), fewer) : placed.rows().layout();
        this.simd = emitter.simd();
        this.m = m;
        this.n = w.shape().dim(-2);
        this.k = w.shape().dim(-1);
        this.calls = new PartCalls(w, placed, simd);
        this.bytes = calls.kept();
        this.workspace = workspace;
        this.tile = few ? fewer : Math.min(m, Emitted.tile(simd, layout));
        Staged.Shared shared = Staged.of(emitter, from, m, k, layout, tile, workspace);
        this.x = shared.staged();
        this.owner = shared.first();
        this.panelBytes = (long) k / layout.group() * layout.panelBytes(simd.width());
        workspace.reserveWorker(PartCalls.BYTES + (few ? 0 : GROUPS * panelBytes));
        this.panel = few ? null : emitter.panel(placed);
        this.whole = few ? emitter.rows(placed, layout, tile, false) : emitter.multiply(layout, tile, false);
        int left = m % tile;
        this.rest = left == 0 ? whole : few ? emitter.rows(placed, layout, left, false) : emitter.multiply(layout, left, false);
    }

    /** The product, if there is code for the weight's format and extents. */
    static Optional<TiledProduct> of(Emitter emitter, Weight w, Copies copies, Region x, int m, Workspace workspace)
            throws ExecutorException {
        int lanes = emitter.simd().lanes();
        Optional<Placement> placed = m == 0 ? Optional.empty() : Placement.of(w, lanes);
        if (placed.isEmpty()) {
            return Optional.empty();
        }
        Placement p = placed.get();
        if (p.sideBySide()) {
            return Optional.of(new ColumnProduct(emitter, w, p, x, m, workspace));
        }
        Optional<Interleaving> order = emitter.interleaving(p);
        if (order.isPresent() && w.firstRow() % lanes == 0 && w.shape().dim(-2) % lanes == 0) {
            Optional<Weight> interleaved = copies.interleaved(w, order.get());
            if (interleaved.isPresent()) {
                return Optional.of(new EmittedProduct(emitter, interleaved.get(), p.interleaved(order.get()), x, m, workspace));
            }
        }
        return Optional.of(new EmittedProduct(emitter, w, p, x, m, workspace));
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
        calls.sizes(scratch, base, k / layout.step(), stride, x.tileBytes());
        int lanes = simd.lanes();
        int whole = (to - from) / lanes;
        int left = (to - from) % lanes;
        long y = NativeCode.address(out, at);
        long all = calls.mask(scratch, base, 0, lanes);
        if (whole > 0) {
            together(scratch, base, from, whole, y, stride, all);
        }
        if (left > 0) {
            long some = calls.mask(scratch, base, lanes - left, lanes);
            groups(scratch, base, to - lanes, to - left, 1, y + 4L * (to - lanes - from), stride, some);
        }
    }

    /** Groups of rows, as many at once as one call may read. */
    private void together(MemorySegment scratch, long base, int row, int count, long y, long stride, long mask) {
        int lanes = simd.lanes();
        for (int done = 0; done < count; ) {
            int first = row + done * lanes;
            int some = Math.min(count - done, placed.together(first) / lanes);
            groups(scratch, base, first, first, some, y + 4L * done * lanes, stride, mask);
            done += some;
        }
    }

    private void groups(
            MemorySegment scratch, long base, int row, int counts, int count, long y, long stride, long mask) {
        if (few) {
            int together = m > tile ? 1 : count;
            for (int i = 0; i < count; i += together) {
                int at = i * simd.lanes();
                passes(scratch, base, row + at, counts + at, together, y + 4L * at, stride, mask);
            }
            return;
        }
        for (int i = 0; i < count; i += GROUPS) {
            int at = i * simd.lanes();
            panels(scratch, base, row + at, counts + at, Math.min(GROUPS, count - i), y + 4L * at, stride, mask);
        }
    }

    /** Groups of rows from {@code row} on, read for one tile of x after another. */
    private void passes(MemorySegment scratch, long base, int row, int counts, int count, long y, long stride, long mask) {
        for (int at = 0; at < m; at += tile) {
            calls.point(scratch, base, row, counts, 0, placed.sharing());
            NativeCode code = at + tile <= m ? whole : rest;
            code.call(bytes, NativeCode.address(scratch, base), calls.codes(row), x.address(at / tile), y + at * stride, count, mask, 0, 0);
        }
    }

    /** Groups of rows from {@code row} on: their panels, then each tile of x times all of them. */
    private void panels(MemorySegment scratch, long base, int row, int counts, int count, long y, long stride, long mask) {
        int lanes = simd.lanes();
        int steps = k / layout.step();
        long sizes = NativeCode.address(scratch, base);
        long to = sizes + PartCalls.BYTES;
        for (int i = 0; i < count; i++) {
            int first = row + i * lanes;
            calls.point(scratch, base, first, counts + i * lanes, 0, placed.sharing());
            panel.call(bytes, sizes, calls.codes(first), to + i * panelBytes, calls.codes(first + lanes), 0, 0, steps, 0);
        }
        for (int at = 0; at < m; at += tile) {
            NativeCode code = at + tile <= m ? whole : rest;
            long tileOfX = x.address(at / tile);
            for (int i = 0; i < count; i++) {
                code.call(bytes, sizes, to + i * panelBytes, tileOfX, y + at * stride + 4L * i * lanes, 1, mask, steps, 0);
            }
        }
    }
}
