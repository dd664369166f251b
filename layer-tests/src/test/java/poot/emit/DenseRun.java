package poot.emit;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import poot.backend.cpu.ffi.CodeRefused;
import poot.backend.cpu.ffi.NativeCode;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.kernel.Dense;
import poot.backend.cpu.x86.kernel.Emitted;
import poot.backend.cpu.x86.kernel.Staging;
import poot.backend.cpu.x86.weight.DenseFormat;
import poot.backend.cpu.x86.weight.Layout;

/** Runs the kernels for dense weights of one width; everything they read or write ends at a guard. */
final class DenseRun implements AutoCloseable {
    /** What outputs hold before, and beside them after. */
    static final int CANARY = 0x7FABCDEF;
    /** Elements between rows of outputs that are not theirs. */
    private static final int GAP = 3;

    /** Bytes for the sums of dense weights between blocks of k: of three groups of sixteen. */
    private static final long SUMS = 3 * Dense.sumBytes(Simd.AVX512, Dense.tile(Simd.AVX512));

    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Simd simd;
    private final DenseFormat format;
    private final boolean interleaved;
    private final Layout layout;
    private final Path folder;
    private final Arena arena = Arena.ofConfined();
    private final Map<String, NativeCode> codes = new HashMap<>();
    private final MemorySegment sizes = arena.allocate(64, 64);
    private final MemorySegment mask = arena.allocate(64, 64);
    private final MemorySegment sums = arena.allocate(SUMS, 64);
    private int from;
    private int to = Integer.MAX_VALUE;

    DenseRun(Simd simd, DenseFormat format, boolean interleaved, Path folder) {
        this.interleaved = interleaved;
        this.simd = simd;
        this.format = format;
        this.layout = format.layout();
        this.folder = folder;
    }

    @Override
    public void close() {
        codes.values().forEach(NativeCode::close);
        arena.close();
    }

    private NativeCode code(String name, Supplier<byte[]> bytes) throws CodeRefused {
        NativeCode there = codes.get(name);
        if (there == null) {
            there = NativeCode.of(bytes.get());
            codes.put(name, there);
        }
        return there;
    }

    /** From here on outputs are those of one group, and only its lanes {@code from} to {@code to} are written. */
    void only(int from, int to) {
        this.from = from;
        this.to = to;
    }

    /** x staged: tiles of {@code tile} rows, the last of the rest; where each begins. */
    private MemorySegment stage(float[][] x, int k, int tile, Arena run) throws IOException, CodeRefused {
        NativeCode staging = code("staging", () -> Staging.of(simd, layout));
        int groups = k / layout.group();
        MemorySegment to = Guarded.of(folder, (long) groups * layout.groupBytes(x.length), run);
        MemorySegment row = Guarded.of(folder, 4L * k, run);
        for (int i = 0; i < x.length; i++) {
            MemorySegment.copy(x[i], 0, row, FLOAT, 0, k);
            int rows = Math.min(tile, x.length - i / tile * tile);
            long units = to.address() + (long) groups * layout.groupBytes(i / tile * tile) + (long) (i % tile) * layout.rowBytes();
            long tail = to.address() + (long) groups * layout.groupBytes(i / tile * tile) + (long) rows * layout.rowBytes()
                    + (long) (i % tile) * Layout.TAIL;
            staging.call(to, 0, row.address(), units, tail, groups, layout.groupBytes(rows), 0, 0);
        }
        return to;
    }

    /** Rows of x of a full tile. */
    int tile() {
        return Dense.tile(simd);
    }

    private NativeCode rows(int tile, int tiles) throws CodeRefused {
        return code("rows" + tile + "of" + tiles, () -> Dense.of(simd, format, tile, tiles, interleaved));
    }

    /** A product of {@code n} weight rows with the rows of x, which are one tile. */
    float[][] few(MemorySegment weights, int n, float[][] x) throws IOException, CodeRefused {
        int tile = x.length;
        return product(weights, n, x, tile, (staged, first, groups, out, lanes) -> rows(tile, 1)
                .call(weights, sizes.address(), first, staged.address(), out, groups, lanes, 0, 0));
    }

    /** The same in tiles, a step of k after another. */
    float[][] many(MemorySegment weights, int n, float[][] x) throws IOException, CodeRefused {
        int tile = Math.min(x.length, tile());
        return product(weights, n, x, tile, (staged, first, groups, out, lanes) -> {
            int tiles = Math.max(2, Math.ceilDiv(x.length, tile));
            for (int at = 0; at < x.length; at += tile) {
                blocks(staged, at, Math.min(tile, x.length - at), tiles, x[0].length, first, groups, out, lanes);
            }
        });
    }

    private void blocks(MemorySegment staged, int row, int rows, int tiles, int k, long first, int groups, long out, long lanes)
            throws CodeRefused {
        int steps = k / layout.step();
        sizes.set(ValueLayout.JAVA_LONG, Emitted.STEPS, 1);
        sizes.set(ValueLayout.JAVA_LONG, Dense.SUMS, sums.address());
        long x = staged.address() + (long) k / layout.group() * layout.groupBytes(row);
        long to = out + row * sizes.get(ValueLayout.JAVA_LONG, Emitted.OUT_BYTES);
        for (int step = 0; step < steps; step++) {
            sizes.set(ValueLayout.JAVA_LONG, Dense.BEGUN, step);
            sizes.set(ValueLayout.JAVA_LONG, Dense.MORE, steps - 1 - step);
            long at = x + (long) step * layout.order().size() * layout.groupBytes(rows);
            long weights = first + (long) step * format.stepBytes() * (interleaved ? DenseFormat.ROWS : 1);
            rows(rows, tiles).call(staged, sizes.address(), weights, at, to, groups, lanes, at, 0);
        }
        sizes.set(ValueLayout.JAVA_LONG, Emitted.STEPS, steps);
        sizes.set(ValueLayout.JAVA_LONG, Dense.BEGUN, 0);
    }

    /** What multiplies some groups of weight rows from the address {@code first} on; the mask is for the last. */
    private interface Groups {
        void run(MemorySegment staged, long first, int groups, long out, long mask) throws CodeRefused;
    }

    private float[][] product(MemorySegment weights, int n, float[][] x, int tile, Groups kernel)
            throws IOException, CodeRefused {
        int k = x[0].length;
        int stride = n + GAP;
        long rowBytes = weights.byteSize() / n;
        sizes.set(ValueLayout.JAVA_LONG, Emitted.ROW_BYTES, rowBytes);
        sizes.set(ValueLayout.JAVA_LONG, Emitted.STEPS, k / layout.step());
        sizes.set(ValueLayout.JAVA_LONG, Emitted.OUT_BYTES, 4L * stride);
        sizes.set(ValueLayout.JAVA_LONG, Emitted.TILE_BYTES, (long) (k / layout.group()) * layout.groupBytes(tile));
        int lanes = simd.lanes();
        int left = n % lanes;
        try (Arena run = Arena.ofConfined()) {
            MemorySegment lain = stage(x, k, tile, run);
            MemorySegment out = Guarded.of(folder, 4L * stride * x.length, run);
            for (long i = 0; i < out.byteSize() / 4; i++) {
                out.set(INT, 4 * i, CANARY);
            }
            long y = out.address() + 4 * GAP;
            MemorySegment read = interleaved ? interleaved(weights, rowBytes, run) : weights;
            kernel.run(lain, read.address(), n / lanes, y, mask(from, Math.min(to, lanes)));
            if (left > 0) {
                kernel.run(lain, read.address() + (n - lanes) * rowBytes, 1, y + 4L * (n - lanes), mask(lanes - left, lanes));
            }
            return taken(out, x.length, n);
        }
    }

    private MemorySegment interleaved(MemorySegment weights, long rowBytes, Arena run) throws IOException {
        MemorySegment copy = Guarded.of(folder, weights.byteSize(), run);
        long group = rowBytes * DenseFormat.ROWS;
        for (long at = 0; at < weights.byteSize(); at += group) {
            format.interleaving().write(weights, at, rowBytes, copy, at);
        }
        return copy;
    }

    private long mask(int from, int to) {
        if (simd.wide()) {
            return (1L << to) - (1L << from);
        }
        for (int i = 0; i < simd.lanes(); i++) {
            mask.set(INT, 4L * i, i >= from && i < to ? -1 : 0);
        }
        return mask.address();
    }

    /** The outputs; between them nothing may be written. */
    private static float[][] taken(MemorySegment out, int m, int n) {
        float[][] y = new float[m][n];
        for (int i = 0; i < m; i++) {
            long at = 4L * i * (n + GAP);
            for (int j = 0; j < GAP; j++) {
                if (out.get(INT, at + 4L * j) != CANARY) {
                    throw new AssertionError("written beside the outputs, before row " + i);
                }
            }
            MemorySegment.copy(out, FLOAT, at + 4 * GAP, y[i], 0, n);
        }
        return y;
    }
}
