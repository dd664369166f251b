package poot.backend.cpu.emit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.function.Supplier;
import poot.api.executor.ExecutorException;
import poot.backend.cpu.ffi.NativeCode;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.work.Work;
import poot.backend.cpu.x86.weight.InputOrder;
import poot.backend.cpu.x86.weight.Layout;

/** Rows of x in the layout a format's kernels read: tiles of as many rows as a kernel takes, then one of the rest. */
public final class Staged {
    private final Region x;
    private final int m;
    private final int k;
    private final Layout layout;
    private final int tile;
    private final NativeCode code;
    private final Supplier<MemorySegment> memory;
    private final Optional<InputOrder> order;
    private final Workspace workspace;
    private final Work body = this::rows;

    private Staged(Emitter emitter, Region x, int m, int k, Layout layout, Optional<InputOrder> order, int tile, Workspace workspace)
            throws ExecutorException {
        this.x = x;
        this.m = m;
        this.k = k;
        this.layout = layout;
        this.tile = tile;
        this.code = emitter.staging(layout);
        this.memory = workspace.staging(bytes(layout, m, k));
        this.order = order;
        this.workspace = workspace;
        order.ifPresent(o -> workspace.reserveWorker(4L * k));
    }

    /** Staged rows, and whether whoever asked is the first in its kernel: it stages them, the others read them. */
    public record Shared(Staged staged, boolean first) {}

    private record Key(MemorySegment segment, long offset, int m, int k, int tile, Layout layout, Optional<InputOrder> order) {}

    /** {@link #of(Emitter, Region, int, int, Layout, Optional, int, Workspace)} with the elements as they come. */
    public static Shared of(Emitter emitter, Region x, int m, int k, Layout layout, int tile, Workspace workspace)
            throws ExecutorException {
        return of(emitter, x, m, k, layout, Optional.empty(), tile, workspace);
    }

    /**
     * The staged rows of {@code x}: one for all products of a kernel that read them in one layout, in tiles of one size.
     *
     * @param order the order of their elements
     */
    public static Shared of(Emitter emitter, Region x, int m, int k, Layout layout, Optional<InputOrder> order, int tile,
            Workspace workspace) throws ExecutorException {
        Key key = new Key(x.segment(), x.offset(), m, k, tile, layout.alone(), order);
        Optional<Staged> there = workspace.shared(key, Staged.class);
        if (there.isPresent()) {
            return new Shared(there.get(), false);
        }
        Staged staged = new Staged(emitter, x, m, k, layout, order, tile, workspace);
        workspace.share(key, staged);
        return new Shared(staged, true);
    }

    /** Bytes of {@code m} rows of {@code k} elements. */
    private static long bytes(Layout layout, int m, int k) {
        return (long) k / layout.group() * layout.groupBytes(m);
    }

    /** Stages all rows; few of them on the calling thread. */
    public void run(Team team) {
        team.run(body, m, Math.max(1, 16384 / k));
    }

    private void rows(int worker, long from, long to) {
        for (int row = (int) from; row < to; row++) {
            int of = row / tile;
            int rows = rows(of);
            int slot = row - of * tile;
            long units = address(of) + (long) slot * layout.rowBytes();
            long tail = address(of) + (long) rows * layout.rowBytes() + (long) slot * Layout.TAIL;
            long elements = order.isPresent()
                    ? ordered(worker, row, order.get())
                    : NativeCode.address(x.segment(), x.offset() + 4L * row * k);
            code.call(x.segment(), 0, elements, units, tail, k / layout.group(), layout.groupBytes(rows), 0, 0);
        }
    }

    /** The address of a row whose elements are in order. */
    private long ordered(int worker, int row, InputOrder by) {
        MemorySegment scratch = workspace.worker();
        long at = workspace.workerAt(worker);
        long first = x.offset() + 4L * row * k;
        for (int i = 0; i < k; i++) {
            scratch.set(ValueLayout.JAVA_FLOAT, at + 4L * i, x.segment().get(ValueLayout.JAVA_FLOAT_UNALIGNED, first + 4L * by.at(i)));
        }
        return NativeCode.address(scratch, at);
    }

    /** The address of a tile. */
    public long address(int of) {
        return NativeCode.address(memory.get(), tileBytes() * of);
    }

    /** The rows of a tile. */
    public int rows(int of) {
        return Math.min(tile, m - of * tile);
    }

    /** Bytes from a full tile to the next. */
    public long tileBytes() {
        return bytes(layout, tile, k);
    }
}
