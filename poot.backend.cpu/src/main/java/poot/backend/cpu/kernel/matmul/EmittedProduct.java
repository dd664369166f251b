package poot.backend.cpu.kernel.matmul;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
import poot.backend.cpu.x86.weight.InputOrder;
import poot.backend.cpu.x86.weight.Interleaving;
import poot.backend.cpu.x86.weight.Layout;
import poot.backend.cpu.x86.weight.Placement;
import poot.backend.cpu.x86.weight.Regrouping;

/**
 * A product with a stored weight by emitted code. Activations of packed formats are staged as 16-bit integers with a
 * scale a group; a group's sum is exact, and the groups' sums are added in F32 in the order of k, one output at a time; of
 * weights that become F32 even and odd elements are added apart, each in that order. The bits depend neither on the rows of
 * x, nor on the vectors, nor on the threads; nor on whether a weight whose rows lie side by side was copied, or is made rows of
 * for every range.
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
    /** The same where rows are made: those of a line of memory where eight share a word, and more to read more of a page. */
    private static final int LEAST_MADE = 128;
    private static final int MOST_MADE = 512;
    /** Ranges there should be, for many threads. */
    private static final int RANGES = 16;
    /** Elements of the rows that are made at a time for few rows of x. */
    private static final int CHUNK = 128;

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
    /** How rows are made for every range, where there is no copy of them. */
    private final Optional<RowMaking> making;
    private final Workspace workspace;
    private final NativeCode more;
    private final NativeCode panel;
    private final NativeCode whole;
    private final NativeCode rest;

    private EmittedProduct(Emitter emitter, Weight w, Placement placed, Optional<RowMaking> making, Region from, int m,
            Workspace workspace) throws ExecutorException {
        this.placed = placed;
        this.simd = emitter.simd();
        int most = Emitted.few(simd, placed.rows());
        boolean again = placed.order().isPresent() && making.isEmpty() && simd.wide() && !placed.rows().layout().floating();
        this.few = m <= (again ? PASSES * most : most);
        int fewer = Math.ceilDiv(m, Math.ceilDiv(m, most));
        this.layout = few ? Emitted.layout(simd, placed.rows(), fewer) : Emitted.layout(simd, placed.rows());
        this.m = m;
        this.n = w.shape().dim(-2);
        this.k = w.shape().dim(-1);
        this.calls = new PartCalls(w, placed, simd);
        this.bytes = calls.kept();
        this.workspace = workspace;
        this.tile = few ? fewer : Math.min(m, Emitted.tile(simd, layout));
        this.making = making;
        Optional<InputOrder> order = placed.made().flatMap(Regrouping::order);
        Staged.Shared shared = Staged.of(emitter, from, m, k, layout, order, tile, workspace);
        this.x = shared.staged();
        this.owner = shared.first();
        this.panelBytes = (long) k / layout.group() * layout.panelBytes(simd.width());
        workspace.reserveWorker(madeAt() + (making.isPresent() ? grain() * madeBytes() : 0));
        this.more = few && making.isPresent() ? emitter.rows(placed, layout, tile, true) : null;
        this.panel = few ? null : emitter.panel(placed);
        this.whole = few ? emitter.rows(placed, layout, tile, false) : emitter.multiply(layout, tile);
        int left = m % tile;
        this.rest = left == 0 ? whole : few ? emitter.rows(placed, layout, left, false) : emitter.multiply(layout, left);
    }

    /** The product, if there is code for the weight's format and extents. */
    static Optional<TiledProduct> of(Emitter emitter, Weight w, Copies copies, Region x, int m, Workspace workspace)
            throws ExecutorException {
        int lanes = emitter.simd().lanes();
        Optional<Placement> placed = m == 0 ? Optional.empty() : emitter.placement(w);
        if (placed.isEmpty()) {
            return Optional.empty();
        }
        Placement p = placed.get();
        Optional<Interleaving> order = emitter.interleaving(p);
        if (p.made().isPresent()) {
            RowMaking making = new RowMaking(emitter, w, p.made().get());
            Optional<Weight> copy = copies.made(w, making);
            return Optional.of(new EmittedProduct(emitter, copy.orElse(w), p.interleaved(order.orElseThrow()),
                    copy.isPresent() ? Optional.empty() : Optional.of(making), x, m, workspace));
        }
        boolean whole = order.isPresent() && w.firstRow() % lanes == 0 && w.shape().dim(-2) % lanes == 0;
        Optional<Weight> copy = whole ? copies.interleaved(w, order.get()) : Optional.empty();
        return Optional.of(new EmittedProduct(
                emitter, copy.orElse(w), copy.isPresent() ? p.interleaved(order.get()) : p, Optional.empty(), x, m, workspace));
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
        if (!few) {
            return GROUPS * simd.lanes();
        }
        return making.isEmpty() ? RANGE : Math.clamp(Integer.highestOneBit(n / RANGES), LEAST_MADE, MOST_MADE);
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
        long y = NativeCode.address(out, at);
        if (making.isEmpty()) {
            range(scratch, base, from, to, y, stride);
            return;
        }
        int lanes = simd.lanes();
        for (int row = from; row < to; row += grain()) {
            int end = Math.min(to, row + grain());
            if (few) {
                chunks(scratch, base, row, end, y + 4L * (row - from));
            } else {
                making.get().make(row / lanes, Math.ceilDiv(end, lanes), scratch, base + madeAt());
                range(scratch, base, row, end, y + 4L * (row - from), stride);
            }
        }
    }

    /** Steps of rows that are made at a time. */
    private int chunk() {
        return few ? Math.min(k / layout.step(), CHUNK / layout.step()) : k / layout.step();
    }

    /** Bytes of a row that are made at a time. */
    private long madeBytes() {
        return (long) chunk() * placed.rows().stepBytes();
    }

    /** Columns of a range for few rows of x: a chunk of their weight rows is made, and multiplied while it is in cache. */
    private void chunks(MemorySegment scratch, long base, int from, int to, long y) {
        int lanes = simd.lanes();
        int groups = Math.ceilDiv(to - from, lanes);
        int left = (to - from) % lanes;
        long sizes = NativeCode.address(scratch, base);
        long mask = calls.mask(scratch, base, 0, left == 0 ? lanes : left);
        int steps = k / layout.step();
        for (int step = 0; step < steps; step += chunk()) {
            Regrouping.Steps some = new Regrouping.Steps(step, Math.min(steps, step + chunk()));
            making.get().make(from / lanes, from / lanes + groups, some, scratch, base + madeAt());
            scratch.set(ValueLayout.JAVA_LONG, base + Emitted.STEPS, some.count());
            scratch.set(ValueLayout.JAVA_LONG, base + Emitted.ROW_BYTES, (long) some.count() * placed.rows().stepBytes());
            long tileOfX = x.address(0) + (long) step * layout.order().size() * layout.groupBytes(m);
            (step == 0 ? whole : more).call(bytes, sizes, sizes + madeAt(), tileOfX, y, groups, mask, 0, 0);
        }
    }

    /** Where in a worker's scratch rows are made: those of a range of as many columns as the grain has. */
    private long madeAt() {
        return PartCalls.BYTES + (few ? 0 : GROUPS * panelBytes);
    }

    /** Where the codes of a row are. */
    private long codes(MemorySegment scratch, long base, int row) {
        return making.isPresent()
                ? NativeCode.address(scratch, base + madeAt() + row % grain() * placed.stride())
                : calls.codes(row);
    }

    private void range(MemorySegment scratch, long base, int from, int to, long y, long stride) {
        int lanes = simd.lanes();
        int whole = (to - from) / lanes;
        int left = (to - from) % lanes;
        long all = calls.mask(scratch, base, 0, lanes);
        if (whole > 0) {
            together(scratch, base, from, whole, y, stride, all);
        }
        if (left > 0 && placed.made().isPresent()) {
            long some = calls.mask(scratch, base, 0, left);
            groups(scratch, base, to - left, to - left, 1, y + 4L * (to - left - from), stride, some);
        } else if (left > 0) {
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
            calls.point(scratch, base, row, counts);
            NativeCode code = at + tile <= m ? whole : rest;
            long tileOfX = x.address(at / tile);
            code.call(bytes, NativeCode.address(scratch, base), codes(scratch, base, row), tileOfX, y + at * stride, count, mask, 0, 0);
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
            calls.point(scratch, base, first, counts + i * lanes);
            long codes = codes(scratch, base, first);
            panel.call(bytes, sizes, codes, to + i * panelBytes, codes + lanes * placed.stride(), 0, 0, steps, 0);
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
