package poot.emit;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import poot.api.graph.Weight;
import poot.backend.cpu.ffi.CodeRefused;
import poot.backend.cpu.ffi.NativeCode;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.kernel.Emitted;
import poot.backend.cpu.x86.kernel.FewRows;
import poot.backend.cpu.x86.kernel.Panels;
import poot.backend.cpu.x86.kernel.Staging;
import poot.backend.cpu.x86.weight.InputOrder;
import poot.backend.cpu.x86.weight.Interleaving;
import poot.backend.cpu.x86.weight.Layout;
import poot.backend.cpu.x86.weight.Parts;
import poot.backend.cpu.x86.weight.Placement;
import poot.backend.cpu.x86.weight.Regrouping;

/** Runs the kernels of one width; everything they read or write ends at a guard. */
final class KernelRun implements AutoCloseable {
    /** What outputs hold before, and beside them after. */
    static final int CANARY = 0x7FABCDEF;
    /** Elements between rows of outputs that are not theirs. */
    private static final int GAP = 3;

    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Simd simd;
    /** Whether rows are interleaved wherever they can be. */
    private final boolean interleaved;
    private final Path folder;
    private final Arena arena = Arena.ofConfined();
    private final Map<Object, NativeCode> codes = new HashMap<>();
    private final MemorySegment sizes = arena.allocate(Parts.SIZES, 64);
    private final MemorySegment mask = arena.allocate(64, 64);
    private int from;
    private int to = Integer.MAX_VALUE;

    KernelRun(Simd simd, Path folder) {
        this(simd, false, folder);
    }

    KernelRun(Simd simd, boolean interleaved, Path folder) {
        this.simd = simd;
        this.interleaved = interleaved;
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

    /** How a weight lies for the kernels; there must be some. Rows that are made are interleaved. */
    private Placement placed(Weight w) {
        Placement placed = Placement.of(w, simd.lanes()).orElseThrow(() -> new AssertionError("no code for " + w.name() + " " + w.shape()));
        Optional<Interleaving> order = Interleaving.of(simd, placed.rows());
        if (placed.made().isPresent()) {
            return placed.interleaved(order.orElseThrow());
        }
        return interleaved && order.isPresent() ? placed.interleaved(order.get()) : placed;
    }

    /** Whether the code for a weight reads its rows interleaved. */
    boolean interleaves(Weight w) {
        return placed(w).order().isPresent();
    }

    /** What kernels read of a weight: its parts, or the rows that are made of them, by code where there is some. */
    private List<MemorySegment> parts(Weight w, Placement placed, Arena run) throws IOException, CodeRefused {
        if (placed.made().isEmpty()) {
            return placed.order().isPresent() ? interleaved(w.parts(), placed, run) : w.parts();
        }
        Regrouping how = placed.made().get();
        int lanes = simd.lanes();
        int groups = how.groups(lanes);
        MemorySegment made = Guarded.of(folder, groups * lanes * how.rowBytes(), run);
        how.write(w.parts(), 0, groups, how.steps(), lanes, made, 0);
        int whole = how.count() / lanes;
        made(w, how, whole, made.asSlice(0, whole * lanes * how.rowBytes()));
        return List.of(made);
    }

    /** The parts with the rows of the first interleaved; all of them fall into whole groups. */
    private List<MemorySegment> interleaved(List<MemorySegment> parts, Placement placed, Arena run) throws IOException {
        MemorySegment codes = parts.getFirst();
        MemorySegment to = Guarded.of(folder, codes.byteSize(), run);
        long group = simd.lanes() * placed.stride();
        for (long at = 0; at < codes.byteSize(); at += group) {
            placed.order().orElseThrow().write(codes, at, placed.stride(), to, at);
        }
        List<MemorySegment> all = new ArrayList<>(parts);
        all.set(0, to);
        return all;
    }

    /** The same rows by code, which must be the same bytes. */
    private void made(Weight w, Regrouping how, int groups, MemorySegment expected) throws IOException, CodeRefused {
        NativeCode code = code("made", how.madeStep(), 0, () -> how.madeStep().code(simd));
        long groupBytes = how.rowBytes() * simd.lanes();
        try (Arena run = Arena.ofConfined()) {
            MemorySegment to = Guarded.of(folder, expected.byteSize(), run);
            for (int step = 0; step < how.steps().end(); step++) {
                code.call(to, how.linesOf(step), w.parts().get(0).address() + how.codesAt(step) + how.codeBytes(how.first()),
                        to.address() + step * how.stepBytes(simd.lanes()),
                        w.parts().get(2).address() + how.scalesAt(step) + how.first() * how.scale().bytes(),
                        w.parts().get(1).address() + how.zerosAt(step) + how.first() / 2, 0, groups, groupBytes);
            }
            if (to.mismatch(expected) >= 0) {
                throw new AssertionError("made by code of " + w.name() + " " + w.shape() + ": byte " + to.mismatch(expected) + " differs");
            }
        }
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
        return product(w, placed, layout, x, tile, (parts, staged, row, counts, groups, out, lanes) -> {
            NativeCode rows = code(
                    "rows", placed.key(), tile, () -> FewRows.of(simd, placed.rows(), layout, tile, false, placed.order()));
            point(parts, placed, row, counts);
            rows.call(staged, sizes.address(), codes(parts, placed, row), staged.address(), out, groups, lanes, 0, 0);
        });
    }

    /** The same by panels. */
    float[][] many(Weight w, float[][] x) throws IOException, CodeRefused {
        int k = x[0].length;
        Placement placed = placed(w);
        Layout layout = Emitted.layout(simd, placed.rows());
        int tile = Math.min(x.length, Emitted.tile(simd, layout));
        int steps = k / layout.step();
        return product(w, placed, layout, x, tile, (parts, staged, row, counts, groups, out, lanes) -> {
            for (int group = 0; group < groups; group++) {
                int at = group * simd.lanes();
                try (Arena run = Arena.ofConfined()) {
                    MemorySegment panel = Guarded.of(folder, (long) steps * layout.order().size() * layout.panelBytes(simd.width()), run);
                    point(parts, placed, row + at, counts + at);
                    code("panel", placed.key(), 0, () -> Panels.decode(simd, placed.rows(), placed.order())).call(panel, sizes.address(),
                            codes(parts, placed, row + at), panel.address(), 0, 0, 0, steps, 0);
                    multiply(layout, panel, staged, x.length, tile, k, out + 4L * at, lanes);
                }
            }
        });
    }

    private void multiply(Layout layout, MemorySegment panel, MemorySegment staged, int m, int tile, int k, long to, long lanes)
            throws CodeRefused {
        int full = m / tile;
        int steps = k / layout.step();
        code("multiply", layout, tile, () -> Panels.multiply(simd, layout, tile)).call(panel, sizes.address(),
                panel.address(), staged.address(), to, full, lanes, steps, 0);
        int rest = m % tile;
        if (rest > 0) {
            long at = staged.address() + (long) (k / layout.group()) * layout.groupBytes(full * tile);
            long under = to + full * tile * sizes.get(ValueLayout.JAVA_LONG, Emitted.OUT_BYTES);
            code("multiply", layout, rest, () -> Panels.multiply(simd, layout, rest))
                    .call(panel, sizes.address(), panel.address(), at, under, 1, lanes, steps, 0);
        }
    }

    private static long codes(List<MemorySegment> parts, Placement placed, long row) {
        return parts.getFirst().address() + placed.codes().at(row);
    }

    /** What lies beside the codes of the rows from {@code row} on, of which those from {@code counts} on count. */
    private void point(List<MemorySegment> parts, Placement placed, long row, long counts) {
        Placement.Part scales = placed.scales();
        long at = parts.get(scales.index()).address() + scales.at(placed.byRange() ? counts : row);
        sizes.set(ValueLayout.JAVA_LONG, Parts.SCALES, at);
        sizes.set(ValueLayout.JAVA_LONG, Parts.SCALE_BYTES, scales.step());
        sizes.set(ValueLayout.JAVA_LONG, Parts.SHARING, placed.sharing());
    }

    /**
     * What multiplies some groups of weight rows from {@code row} on, of which those from {@code counts} on count; the mask is for
     * the last.
     */
    private interface Groups {
        void run(List<MemorySegment> parts, MemorySegment staged, int row, int counts, int groups, long out, long mask)
                throws IOException, CodeRefused;
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
            List<MemorySegment> parts = parts(w, placed, run);
            sizes.set(ValueLayout.JAVA_LONG, Emitted.STEPS, k / layout.step());
            MemorySegment staged = stage(ordered(x, placed), layout, k, tile, run);
            MemorySegment out = Guarded.of(folder, 4L * stride * x.length, run);
            for (long i = 0; i < out.byteSize() / 4; i++) {
                out.set(INT, 4 * i, CANARY);
            }
            long y = out.address() + 4 * GAP;
            for (int row = 0; row + lanes <= n; ) {
                int groups = Math.min((n - row) / lanes, placed.together(row) / lanes);
                kernel.run(parts, staged, row, row, groups, y + 4L * row, mask(from, Math.min(to, lanes)));
                row += groups * lanes;
            }
            if (left > 0 && placed.made().isPresent()) {
                kernel.run(parts, staged, n - left, n - left, 1, y + 4L * (n - left), mask(0, left));
            } else if (left > 0) {
                kernel.run(parts, staged, n - lanes, n - left, 1, y + 4L * (n - lanes), mask(lanes - left, lanes));
            }
            return taken(out, x.length, n);
        }
    }

    private static float[][] ordered(float[][] x, Placement placed) {
        Optional<InputOrder> order = placed.made().flatMap(Regrouping::order);
        if (order.isEmpty()) {
            return x;
        }
        float[][] out = new float[x.length][x[0].length];
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < x[i].length; j++) {
                out[i][j] = x[i][order.get().at(j)];
            }
        }
        return out;
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
