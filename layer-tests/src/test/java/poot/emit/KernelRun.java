package poot.emit;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import poot.api.graph.Weight;
import poot.backend.cpu.ffi.CodeRefused;
import poot.backend.cpu.ffi.NativeCode;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.kernel.Emitted;
import poot.backend.cpu.x86.kernel.Staging;
import poot.backend.cpu.x86.weight.Layout;
import poot.backend.cpu.x86.weight.Parts;
import poot.backend.cpu.x86.weight.Placement;

/** Runs the kernels of one width; everything they read or write ends at a guard. */
final class KernelRun implements AutoCloseable {
    /** What outputs hold before, and beside them after. */
    static final int CANARY = 0x7FABCDEF;
    /** Elements between rows of outputs that are not theirs. */
    private static final int GAP = 3;

    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Simd simd;
    private final Path folder;
    private final Arena arena = Arena.ofConfined();
    private final Map<Object, NativeCode> codes = new HashMap<>();
    private final MemorySegment sizes = arena.allocate(Parts.SIZES, 64);
    private final MemorySegment mask = arena.allocate(64, 64);
    private int from;
    private int to = Integer.MAX_VALUE;

    KernelRun(Simd simd, Path folder) {
        this.simd = simd;
        this.folder = folder;
    }

    @Override
    public void close() {
        codes.values().forEach(NativeCode::close);
        arena.close();
    }

    private record Key(String kernel, Object format, int tile) {}

    private NativeCode code(String kernel, Object format, int tile, Supplier<byte[]> bytes) throws CodeRefused {
        Key key = new Key(kernel, format, tile);
        NativeCode there = codes.get(key);
        if (there == null) {
            there = NativeCode.of(bytes.get());
            codes.put(key, there);
        }
        return there;
    }

    /** How a weight lies for the kernels; there must be some. */
    private Placement placed(Weight w) {
        return Placement.of(w, simd.lanes()).orElseThrow(() -> new AssertionError("no code for " + w.name() + " " + w.shape()));
    }

    /** From here on outputs are those of one group, and only its lanes {@code from} to {@code to} are written. */
    void only(int from, int to) {
        this.from = from;
        this.to = to;
    }

    /** x staged: tiles of {@code tile} rows, the last of the rest; where each begins. */
    private MemorySegment stage(float[][] x, Layout layout, int k, int tile, Arena run) throws IOException, CodeRefused {
        NativeCode staging = code("staging", layout, 0, () -> Staging.of(simd, layout));
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

    /** Rows of x that {@link #few} takes at most. */
    int few(Weight w) {
        return Emitted.few(simd, placed(w).rows());
    }

    /** A product of a weight with the rows of x by the kernel for few rows. */
    float[][] few(Weight w, float[][] x) throws IOException, CodeRefused {
        int tile = x.length;
        Placement placed = placed(w);
        Layout layout = Emitted.layout(simd, placed.rows(), tile);
        return product(w, placed, layout, x, tile, (staged, row, counts, groups, out, lanes) -> {
            for (Stretch s : stretches(placed, x[0].length)) {
                NativeCode rows = code("rows" + s.more(), placed.key(), tile, () -> Emitted.rows(simd, placed.rows(), layout, tile, s.more(), placed.order()));
                point(w, placed, row, counts, s);
                rows.call(staged, sizes.address(), codes(w, placed, row, s), staged.address() + s.staged(placed, tile), out, groups,
                        lanes, 0, 0);
            }
        });
    }

    /** The same by panels. */
    float[][] many(Weight w, float[][] x) throws IOException, CodeRefused {
        int k = x[0].length;
        Placement placed = placed(w);
        Layout layout = placed.rows().layout();
        int tile = Math.min(x.length, Emitted.tile(simd, layout));
        return product(w, placed, layout, x, tile, (staged, row, counts, groups, out, lanes) -> {
            for (int group = 0; group < groups; group++) {
                int at = group * simd.lanes();
                for (Stretch s : stretches(placed, k)) {
                    long bytes = (long) s.steps() * layout.order().size() * layout.panelBytes(simd.width());
                    try (Arena run = Arena.ofConfined()) {
                        MemorySegment panel = Guarded.of(folder, bytes, run);
                        point(w, placed, row + at, counts + at, s);
                        code("panel", placed.key(), 0, () -> Emitted.panel(simd, placed.rows(), placed.order())).call(panel, sizes.address(),
                                codes(w, placed, row + at, s), panel.address(), 0, 0, 0, s.steps(), 0);
                        multiply(placed, panel, staged, x.length, tile, k, s, out + 4L * at, lanes);
                    }
                }
            }
        });
    }

    private void multiply(Placement placed, MemorySegment panel, MemorySegment staged, int m, int tile, int k, Stretch s, long to,
            long lanes) throws CodeRefused {
        Layout layout = placed.rows().layout();
        int full = m / tile;
        code("multiply" + s.more(), layout, tile, () -> Emitted.multiply(simd, layout, tile, s.more())).call(panel, sizes.address(),
                panel.address(), staged.address() + s.staged(placed, tile), to, full, lanes, s.steps(), 0);
        int rest = m % tile;
        if (rest > 0) {
            long at = staged.address() + (long) (k / layout.group()) * layout.groupBytes(full * tile) + s.staged(placed, rest);
            long under = to + full * tile * sizes.get(ValueLayout.JAVA_LONG, Emitted.OUT_BYTES);
            code("multiply" + s.more(), layout, rest, () -> Emitted.multiply(simd, layout, rest, s.more()))
                    .call(panel, sizes.address(), panel.address(), at, under, 1, lanes, s.steps(), 0);
        }
    }

    /** Some steps of a row. */
    private record Stretch(int from, int steps) {
        boolean more() {
            return from > 0;
        }

        /** Bytes to its part of a staged tile. */
        long staged(Placement placed, int rows) {
            return (long) from * placed.rows().layout().order().size() * placed.rows().layout().groupBytes(rows);
        }
    }

    /** All steps; where rows lie side by side in two stretches, cut where the scales change or within one. */
    private static List<Stretch> stretches(Placement placed, int k) {
        int steps = k / placed.rows().layout().step();
        int cut = placed.sharing() < steps ? (int) placed.sharing() : steps / 2;
        return placed.sideBySide() && cut > 0
                ? List.of(new Stretch(0, cut), new Stretch(cut, steps - cut))
                : List.of(new Stretch(0, steps));
    }

    private static long codes(Weight w, Placement placed, long row, Stretch s) {
        return w.parts().getFirst().address() + placed.codes().at(row) + s.from() * placed.lines() * placed.stride();
    }

    /** What lies beside the codes of the rows from {@code row} on, of which those from {@code counts} on count. */
    private void point(Weight w, Placement placed, long row, long counts, Stretch s) {
        part(w, placed.scales(), Parts.SCALES, Parts.SCALE_BYTES, placed.byRange() ? counts : row, s.from() / placed.sharing());
        part(w, placed.zeros(), Parts.ZEROS, Parts.ZERO_BYTES, row, s.from() / placed.sharing());
        sizes.set(ValueLayout.JAVA_LONG, Parts.SHARING, placed.sharing());
        sizes.set(ValueLayout.JAVA_LONG, Emitted.STEPS, s.steps());
    }

    private void part(Weight w, Placement.Part part, int at, int step, long row, long passed) {
        sizes.set(ValueLayout.JAVA_LONG, at, w.parts().get(part.index()).address() + part.at(row) + passed * part.step());
        sizes.set(ValueLayout.JAVA_LONG, step, part.step());
    }

    /** What multiplies some groups of weight rows from {@code row} on, of which those from {@code counts} on count; the mask is for the last. */
    private interface Groups {
        void run(MemorySegment staged, int row, int counts, int groups, long out, long mask) throws IOException, CodeRefused;
    }

    private float[][] product(Weight w, Placement placed, Layout layout, float[][] x, int tile, Groups kernel)
            throws IOException, CodeRefused {
        int k = x[0].length;
        int n = w.shape().dim(0);
        int stride = n + GAP;
        sizes.set(ValueLayout.JAVA_LONG, Emitted.ROW_BYTES, placed.stride());
        sizes.set(ValueLayout.JAVA_LONG, Emitted.OUT_BYTES, 4L * stride);
        sizes.set(ValueLayout.JAVA_LONG, Emitted.TILE_BYTES, (long) (k / layout.group()) * layout.groupBytes(tile));
        int lanes = simd.lanes();
        int left = n % lanes;
        try (Arena run = Arena.ofConfined()) {
            MemorySegment staged = stage(x, layout, k, tile, run);
            MemorySegment out = Guarded.of(folder, 4L * stride * x.length, run);
            for (long i = 0; i < out.byteSize() / 4; i++) {
                out.set(INT, 4 * i, CANARY);
            }
            long y = out.address() + 4 * GAP;
            for (int row = 0; row + lanes <= n; ) {
                int groups = Math.min((n - row) / lanes, placed.together(row) / lanes);
                kernel.run(staged, row, row, groups, y + 4L * row, mask(from, Math.min(to, lanes)));
                row += groups * lanes;
            }
            if (left > 0) {
                kernel.run(staged, n - lanes, n - left, 1, y + 4L * (n - lanes), mask(lanes - left, lanes));
            }
            return taken(out, x.length, n);
        }
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
