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
import poot.backend.cpu.x86.kernel.Dense;
import poot.backend.cpu.x86.kernel.Emitted;
import poot.backend.cpu.x86.weight.DenseFormat;

/**
 * A product with a dense weight by emitted code, in F32. Every sixteenth element is added in the order of k, then the sixteen
 * sums in one order ({@link Dense}), so that an output's bits depend neither on the rows of x, nor on the vectors, nor on
 * the threads. Where there are several tiles of x, k is taken in blocks, so that those of the range's weight rows stay in a
 * worker's second cache.
 */
final class DenseProduct implements TiledProduct {
    /** Columns of a range where there is one tile; where there are a few it has no more bytes than stay in a second cache. */
    private static final int RANGE = 64;
    private static final long RANGE_BYTES = 256 << 10;
    /** Columns of a range at most where there are several, so that a tile is not asked for often, and at least. */
    private static final int WIDE = 128;
    private static final int NARROW = 32;
    /** Ranges for the team to share, if they are not narrower for that. */
    private static final int SHARES = 16;
    /** Elements of a block of k where there are several tiles; the bytes of its weight row with AVX2, at most. */
    private static final int BLOCK = 2048;
    private static final int BLOCK_BYTES = 4096;
    /** Tiles that take a block of the weights one after another; their sums are kept. */
    private static final int TILES = 8;

    private final MemorySegment bytes;
    private final long first;
    private final long rowBytes;
    private final DenseFormat format;
    /** Rows whose elements of a block of k lie together. */
    private final int together;
    private final Simd simd;
    private final Staged x;
    private final boolean owner;
    private final int m;
    private final int n;
    private final int k;
    private final int tile;
    private final int tiles;
    private final int block;
    /** Bytes of the next rows that a pass asks for with each group; 0 if it asks for the next tile. */
    private final long share;
    private final int range;
    private final Workspace workspace;
    private final NativeCode whole;
    private final NativeCode rest;

    private DenseProduct(Emitter emitter, Weight w, DenseFormat format, boolean interleaved, Region from, int m, Workspace workspace)
            throws ExecutorException {
        this.format = format;
        this.together = interleaved ? DenseFormat.ROWS : 1;
        this.simd = emitter.simd();
        this.m = m;
        this.n = w.shape().dim(-2);
        this.k = w.shape().dim(-1);
        this.bytes = w.parts().getFirst();
        this.rowBytes = (long) w.columns() * format.bytes();
        this.first = w.firstRow() * rowBytes;
        this.workspace = workspace;
        this.tile = Math.ceilDiv(m, Math.ceilDiv(m, Dense.tile(simd)));
        this.tiles = Math.ceilDiv(m, tile);
        this.share = Dense.share(simd, tile, tiles, k / format.layout().step());
        this.block = tiles == 1 || share > 0 ? k : simd.wide() ? BLOCK : Math.min(BLOCK, BLOCK_BYTES / format.bytes());
        this.range = range();
        Staged.Shared shared = Staged.of(emitter, from, m, k, format.layout(), tile, workspace);
        this.x = shared.staged();
        this.owner = shared.first();
        workspace.reserveWorker(ColumnGroups.BYTES + (k <= block ? 0 : TILES * sumBytes()));
        this.whole = emitter.dense(format, tile, tiles, interleaved);
        this.rest = m % tile == 0 ? whole : emitter.dense(format, m % tile, tiles, interleaved);
    }

    private int range() {
        if (tiles == 1) {
            return RANGE;
        }
        if (share > 0) {
            return Math.clamp(Long.highestOneBit(RANGE_BYTES / rowBytes), simd.lanes(), RANGE);
        }
        return Integer.highestOneBit(Math.clamp(n / SHARES, NARROW, WIDE));
    }

    private long sumBytes() {
        return range / simd.lanes() * Dense.sumBytes(simd, tile);
    }

    /** The product, if the weight is dense and as wide as there is code for. */
    static Optional<TiledProduct> of(Emitter emitter, Weight w, Copies copies, Region x, int m, Workspace workspace)
            throws ExecutorException {
        Optional<DenseFormat> format = DenseFormat.of(w.format().encoding());
        if (format.isEmpty() || m == 0) {
            return Optional.empty();
        }
        int k = w.shape().dim(-1);
        boolean fits = k > 0 && k % format.get().layout().step() == 0 && w.firstColumn() == 0
                && w.shape().dim(-2) >= emitter.simd().lanes() && w.parts().getFirst().isNative();
        if (!fits) {
            return Optional.empty();
        }
        boolean whole = w.firstRow() % DenseFormat.ROWS == 0 && w.shape().dim(-2) % emitter.simd().lanes() == 0;
        Optional<Weight> copy = whole ? copies.interleaved(w, format.get().interleaving()) : Optional.empty();
        return Optional.of(new DenseProduct(emitter, copy.orElse(w), format.get(), copy.isPresent(), x, m, workspace));
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
        return range;
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
        scratch.set(ValueLayout.JAVA_LONG, base + Emitted.OUT_BYTES, stride);
        for (int column = from; column < to; column += range) {
            long y = NativeCode.address(out, at) + 4L * (column - from);
            ColumnGroups.run(simd, scratch, base, column, Math.min(to, column + range), y, (row, count, group, mask) -> {
                for (int of = 0; of < tiles; of += TILES) {
                    blocks(scratch, base, row, count, of, group, stride, mask);
                }
            });
        }
    }

    /** Some groups of weight rows and {@link #TILES} tiles: a block of k after another. */
    private void blocks(MemorySegment scratch, long base, int row, int count, int firstTile, long y, long stride, long mask) {
        int end = Math.min(tiles, firstTile + TILES);
        for (int at = 0; at < k; at += block) {
            int elements = Math.min(block, k - at);
            scratch.set(ValueLayout.JAVA_LONG, base + Emitted.STEPS, elements / format.layout().step());
            scratch.set(ValueLayout.JAVA_LONG, base + Dense.BEGUN, at);
            scratch.set(ValueLayout.JAVA_LONG, base + Dense.MORE, k - at - elements);
            long weights = NativeCode.address(bytes, first + row * rowBytes + (long) at * together * format.bytes());
            for (int of = firstTile; of < end; of++) {
                long sums = NativeCode.address(scratch, base + ColumnGroups.BYTES + (of - firstTile) * sumBytes());
                scratch.set(ValueLayout.JAVA_LONG, base + Dense.SUMS, sums);
                long next;
                if (share > 0) {
                    next = weights + count * (simd.lanes() * rowBytes + of * share);
                } else {
                    next = of + 1 < end ? block(of + 1, at) : block(firstTile, Math.min(at + block, k - elements));
                }
                NativeCode code = x.rows(of) == tile ? whole : rest;
                code.call(bytes, NativeCode.address(scratch, base), weights, block(of, at), y + of * tile * stride, count, mask, next, 0);
            }
        }
    }

    /** Where a tile's elements from {@code at} on are staged. */
    private long block(int of, int at) {
        return x.address(of) + (long) at / DenseFormat.GROUP * format.layout().groupBytes(x.rows(of));
    }
}
