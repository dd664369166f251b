package poot.backend.cpu.kernel.matmul;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
import poot.backend.cpu.x86.weight.Parts;
import poot.backend.cpu.x86.weight.Placement;

/**
 * {@link EmittedProduct} for weights whose rows lie side by side. A line of memory holds something of many rows, and the lines
 * of one row lie a power of two apart, where caches keep few of them; so a few lines are read for all columns of a range
 * before the next, and sums go on from chunk to chunk in the result. Chunks depend on the format and on k alone: the bits, once
 * more, neither on the rows of x, nor on the vectors, nor on the threads.
 */
final class ColumnProduct implements TiledProduct {
    /** Columns of a range at most: the more, the more is read of a page. */
    private static final int MOST = 512;
    /** Ranges there should be, for many threads. */
    private static final int RANGES = 16;
    /** Elements of a chunk, where scales allow it. */
    private static final int CHUNK = 128;
    /** Columns whose panels are kept at once: those of one line of memory, where eight share a word. */
    private static final int PANELS = 128;

    private final PartCalls calls;
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
    /** Steps of a row and of a chunk. */
    private final int steps;
    private final int chunk;
    private final long panelBytes;
    /** Bytes of a worker's copy of a chunk; 0 where lines are read where they are. */
    private final long copyBytes;
    private final Workspace workspace;
    private final NativeCode gathering;
    private final NativeCode panel;
    /** The kernels of the first chunk and of the others. */
    private final NativeCode[] rows = new NativeCode[2];
    private final NativeCode[] multiply = new NativeCode[2];
    private final NativeCode[] rest = new NativeCode[2];

    ColumnProduct(Emitter emitter, Weight w, Placement placed, Region from, int m, Workspace workspace) throws ExecutorException {
        this.placed = placed;
        this.layout = placed.rows().layout();
        this.simd = emitter.simd();
        this.calls = new PartCalls(w, placed, simd);
        this.m = m;
        this.n = w.shape().dim(-2);
        this.k = w.shape().dim(-1);
        this.steps = k / layout.step();
        this.chunk = chunk(placed);
        this.workspace = workspace;
        this.few = m <= Emitted.few(simd, placed.rows());
        this.tile = Math.min(m, Emitted.tile(simd, layout));
        Staged.Shared shared = Staged.of(emitter, from, m, k, layout, tile, workspace);
        this.x = shared.staged();
        this.owner = shared.first();
        this.panelBytes = (long) Math.min(steps, chunk) * layout.order().size() * layout.panelBytes(simd.width());
        boolean copied = placed.codes().bits() * simd.lanes() < 8 * simd.width();
        this.copyBytes = copied ? chunk * placed.lines() * pieceBytes() : 0;
        workspace.reserveWorker(PartCalls.BYTES + copyBytes + (few ? 0 : PANELS / simd.lanes() * panelBytes));
        this.gathering = copied ? emitter.gathering((int) pieceBytes()) : null;
        this.panel = few ? null : emitter.panel(placed);
        for (int i = 0; i < 2; i++) {
            rows[i] = few ? emitter.rows(placed, layout, m, i > 0) : null;
            multiply[i] = few ? null : emitter.multiply(layout, tile, i > 0);
            rest[i] = few || m % tile == 0 ? null : emitter.multiply(layout, m % tile, i > 0);
        }
    }

    /** Steps of a chunk: whole stretches of one scale, or a stretch is whole chunks. */
    private static int chunk(Placement placed) {
        int step = placed.rows().layout().step();
        long shared = placed.sharing() * step;
        if (shared < CHUNK) {
            return Math.toIntExact(placed.sharing() * (CHUNK / shared));
        }
        return shared % CHUNK == 0 && CHUNK % step == 0 ? CHUNK / step : 1;
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
        return few ? Math.clamp(Integer.highestOneBit(n / RANGES), PANELS, MOST) : PANELS;
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
        calls.sizes(scratch, base, chunk, stride, x.tileBytes());
        long y = NativeCode.address(out, at);
        if (few) {
            for (int step = 0; step < steps; step += chunk) {
                few(scratch, base, from, to, step, y, stride);
            }
            return;
        }
        for (int row = from; row < to; row += PANELS) {
            int end = Math.min(to, row + PANELS);
            for (int step = 0; step < steps; step += chunk) {
                many(scratch, base, row, end, step, y + 4L * (row - from), stride);
            }
        }
    }

    /** Bytes of a line of a range. */
    private long pieceBytes() {
        return grain() * placed.codes().bits() / 8;
    }

    /** Whether a range's chunks are copied: whole ranges of which a vector's rows fill a part of a line of memory each. */
    private boolean isCopied(int from, int to) {
        return copyBytes > 0 && to - from == grain();
    }

    private void copy(MemorySegment scratch, long base, int from, int step) {
        long lines = Math.min(chunk, steps - step) * placed.lines();
        gathering.call(calls.kept(), 0, codes(from, step), NativeCode.address(scratch, base) + PartCalls.BYTES, lines,
                placed.stride(), lines * placed.stride(), 0, 0);
    }

    /** What the calls of a chunk of columns {@code from} to {@code to} are told of its rows from {@code row} on; their codes. */
    private long chunk(MemorySegment scratch, long base, int from, int to, int row, int step) {
        calls.point(scratch, base, row, row, step, Math.min(placed.sharing(), chunk));
        int now = Math.min(chunk, steps - step);
        scratch.set(ValueLayout.JAVA_LONG, base + Emitted.STEPS, now);
        scratch.set(ValueLayout.JAVA_LONG, base + Parts.AHEAD, now * placed.lines() * placed.stride());
        if (!isCopied(from, to)) {
            return codes(row, step);
        }
        scratch.set(ValueLayout.JAVA_LONG, base + Parts.ROW_BYTES, pieceBytes());
        return NativeCode.address(scratch, base) + PartCalls.BYTES + (row - from) * placed.codes().bits() / 8;
    }

    private long codes(int row, int step) {
        return calls.codes(row) + step * placed.lines() * placed.stride();
    }

    private long staged(int of, int rows, int step) {
        return x.address(of) + (long) step * layout.order().size() * layout.groupBytes(rows);
    }

    /** One chunk of columns {@code from} to {@code to}. */
    private void few(MemorySegment scratch, long base, int from, int to, int step, long y, long stride) {
        int lanes = simd.lanes();
        int left = (to - from) % lanes;
        int whole = (to - from) / lanes;
        NativeCode code = rows[step == 0 ? 0 : 1];
        if (isCopied(from, to)) {
            copy(scratch, base, from, step);
        }
        long sizes = NativeCode.address(scratch, base);
        if (whole > 0) {
            long codes = chunk(scratch, base, from, to, from, step);
            long all = calls.mask(scratch, base, 0, lanes);
            code.call(calls.kept(), sizes, codes, staged(0, m, step), y, whole, all, 0, 0);
        }
        if (left > 0) {
            long codes = chunk(scratch, base, from, to, to - lanes, step);
            long some = calls.mask(scratch, base, lanes - left, lanes);
            long at = y + 4L * (to - lanes - from);
            code.call(calls.kept(), sizes, codes, staged(0, m, step), at, 1, some, 0, 0);
        }
    }

    /** A chunk of columns {@code from} to {@code to}: their panels, then each tile of x times all of them. */
    private void many(MemorySegment scratch, long base, int from, int to, int step, long y, long stride) {
        int lanes = simd.lanes();
        int groups = Math.ceilDiv(to - from, lanes);
        int now = Math.min(chunk, steps - step);
        long sizes = NativeCode.address(scratch, base);
        long panels = sizes + PartCalls.BYTES + copyBytes;
        if (isCopied(from, to)) {
            copy(scratch, base, from, step);
        }
        for (int i = 0; i < groups; i++) {
            int row = row(from, to, i);
            long codes = chunk(scratch, base, from, to, row, step);
            panel.call(calls.kept(), sizes, codes, panels + i * panelBytes, 0, 0, 0, now, 0);
        }
        for (int i = 0; i < groups; i++) {
            int row = row(from, to, i);
            long mask = calls.mask(scratch, base, from + i * lanes - row, lanes);
            for (int at = 0; at < m; at += tile) {
                NativeCode code = (at + tile <= m ? multiply : rest)[step == 0 ? 0 : 1];
                long tileOfX = staged(at / tile, Math.min(tile, m - at), step);
                long out = y + at * stride + 4L * (row - from);
                code.call(calls.kept(), sizes, panels + i * panelBytes, tileOfX, out, 1, mask, now, 0);
            }
        }
    }

    /** The first row of a group: the last ends where the columns do. */
    private int row(int from, int to, int group) {
        return Math.min(from + group * simd.lanes(), to - simd.lanes());
    }
}
