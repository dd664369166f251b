package poot.core.kernel.generate.product;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.ir.Conversion;
import poot.core.kernel.ir.Fragment;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Layout;
import poot.core.kernel.ir.MemoryBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.SharedArray;

/**
 * Tiles of narrow floats multiplied as fragments, in the order of the summed axis; see {@link Precision}. A subgroup has
 * [high, wide] of the tile.
 */
final class FragmentSums implements WorkgroupSums {
    /** Products of one left operand, at most. */
    static final int MOST_PRODUCTS = 3;
    private static final int SIZE = Fragment.SIZE;
    private static final int PAD = 8;
    private static final int DEPTH = 32;
    private static final int WIDEST = 64;
    private static final int NARROWEST = 32;
    /** Shared memory of a workgroup, so that several are on a compute unit at a time. */
    private static final int MOST_BYTES = 48 << 10;
    private static final Fragment SUM = new Fragment(Fragment.Use.ACCUMULATOR, MemoryType.F32);

    private final KernelBuilder b;
    private final Tile tile;
    private final Precision precision;
    private final List<Boolean> split;
    private final int stride;
    private final SharedArray lefts;
    private final List<SharedArray> rights = new ArrayList<>();
    private final SharedArray results;
    private final Fragment a;
    private final Fragment right;
    private final RowScales scales;
    private boolean measuring;

    /**
     * Declares the shared memory.
     *
     * @param precision not F32
     * @param split for each product whether its right operand takes two narrow floats
     */
    FragmentSums(KernelBuilder b, Tile tile, Precision precision, List<Boolean> split) {
        this.b = b;
        this.tile = tile;
        this.precision = precision;
        this.split = List.copyOf(split);
        this.stride = tile.depth() + PAD;
        this.lefts = b.shared("left", precision.narrow(), 2 * tile.rows() * stride);
        for (int p = 0; p < split.size(); p++) {
            rights.add(b.shared("right" + p, precision.narrow(), (split.get(p) ? 2 : 1) * tile.columns() * stride));
        }
        this.results = b.shared("results", MemoryType.F32, split.size() * handed(tile) * tile.columns());
        this.a = new Fragment(Fragment.Use.A, precision.narrow());
        this.right = new Fragment(Fragment.Use.B, precision.narrow());
        this.scales = precision == Precision.SPLIT_F16 ? RowScales.declare(b, tile, split.size()) : RowScales.NONE;
    }

    /** The tile for so many products of so many rows and columns: as large as fits, narrow where there are few. */
    static Tile tile(int products, int rows, int columns, DeviceLimits limits) {
        int high = rows > 32 ? 64 : rows > SIZE ? 32 : SIZE;
        Tile tile = tile(high, WIDEST, DEPTH);
        while (tile.columns() > NARROWEST && (!fits(tile, products, limits) || tile.count(rows, columns) < limits.computeUnits())) {
            tile = tile(tile.rows(), tile.columns() / 2, DEPTH);
        }
        while (tile.rows() > 2 * SIZE && !fits(tile, products, limits)) {
            tile = tile(tile.rows() / 2, tile.columns(), DEPTH);
        }
        return fits(tile, products, limits) ? tile : tile(tile.rows(), tile.columns(), SIZE);
    }

    /** Four subgroups share the tile, two by two; of the lowest one beside the other. */
    private static Tile tile(int rows, int columns, int depth) {
        int high = rows > SIZE ? rows / 2 : rows;
        return new Tile(rows, columns, depth, high, rows > SIZE ? columns / 2 : SIZE);
    }

    /** Whether a device has the memory and the threads for the most products. */
    static boolean fits(DeviceLimits limits) {
        return fits(tile(NARROWEST, NARROWEST, SIZE), MOST_PRODUCTS, limits);
    }

    private static boolean fits(Tile t, int products, DeviceLimits limits) {
        int narrow = 2 * (t.rows() + products * t.columns()) * (t.depth() + PAD);
        int bytes = 2 * narrow + 4 * products * handed(t) * t.columns() + 4 * (t.rows() + products * t.columns());
        return bytes <= Math.min(MOST_BYTES, limits.sharedBytes()) && t.threads() * limits.subgroup() <= limits.maxWorkgroup();
    }

    /** Rows whose sums are handed out at a time: of one fragment of each subgroup that is below another. */
    private static int handed(Tile t) {
        return t.rows() / t.high() * SIZE;
    }

    @Override
    public boolean isAlongDepth() {
        return true;
    }

    @Override
    public void left(Reg row, Reg depth, List<Reg> values) {
        if (measuring) {
            scales.measure(b, row, values);
        } else {
            narrow(lefts, b.mad(row, stride, depth), tile.rows() * stride, scales.scaled(b, row, values), true);
        }
    }

    @Override
    public void right(int product, Reg column, Reg depth, List<Reg> values) {
        Reg row = b.add(column, tile.rows() + product * tile.columns());
        if (measuring) {
            scales.measure(b, row, values);
        } else {
            boolean two = split.get(product);
            List<Reg> scaled = two ? scales.scaled(b, row, values) : values;
            narrow(rights.get(product), b.mad(column, stride, depth), tile.columns() * stride, scaled, two);
        }
    }

    private void narrow(SharedArray to, Reg at, int apart, List<Reg> values, boolean two) {
        int lanes = Math.min(4, values.size());
        for (int i = 0; i < values.size(); i += lanes) {
            List<Reg> some = values.subList(i, i + lanes);
            b.store(to, b.add(at, i), some);
            if (two) {
                b.store(to, b.add(at, apart + i), some.stream().map(v -> b.sub(v, high(v))).toList());
            }
        }
    }

    private Reg high(Reg value) {
        return precision == Precision.SPLIT_BF16 ? b.fromBf16Bits(b.convert(Conversion.F32_TO_BF16_BITS, value))
                : b.fromF16Bits(b.convert(Conversion.F32_TO_F16_BITS, value));
    }

    @Override
    public void run(int k, Fill fill, Element element) {
        if (scales.isPresent()) {
            measure(k, fill);
        }
        int across = tile.columns() / tile.wide();
        Reg top = b.mul(b.div(b.subgroup(), across), tile.high());
        Reg side = b.mul(b.rem(b.subgroup(), across), tile.wide());
        List<Reg> zeros = new ArrayList<>();
        for (int i = 0; i < split.size() * high() * wide(); i++) {
            zeros.add(b.fill(SUM, b.f32(0)));
        }
        List<Reg> sums = b.loop(b.u32(0), b.u32(k), tile.depth(), zeros, (from, sum) -> {
            b.barrier();
            fill.left(from);
            for (int p = 0; p < split.size(); p++) {
                fill.right(p, from);
            }
            b.barrier();
            List<Reg> out = sum;
            for (int depth = 0; depth < tile.depth(); depth += SIZE) {
                out = step(depth, top, side, out);
            }
            return out;
        });
        hand(sums, b.div(b.subgroup(), across), side, element);
    }

    /** One row of fragments of every subgroup after the other; {@code down} is which subgroup it is down the tile. */
    private void hand(List<Reg> sums, Reg down, Reg side, Element element) {
        int rows = handed(tile);
        for (int i = 0; i < high(); i++) {
            int first = i * SIZE;
            if (i > 0) {
                b.barrier();
            }
            for (int p = 0; p < split.size(); p++) {
                for (int j = 0; j < wide(); j++) {
                    Reg at = b.add(b.mad(b.mul(down, SIZE), tile.columns(), side), p * rows * tile.columns() + j * SIZE);
                    Reg sum = sums.get((p * high() + i) * wide() + j);
                    b.storeFragment(sum, MemoryBuilder.at(results, at), b.u32(tile.columns()), Layout.ROW_MAJOR);
                }
            }
            b.barrier();
            WorkgroupSums.hand(b, results, rows, tile.columns(), split.size(), (r, c, values) -> {
                Reg row = b.add(b.mad(b.div(r, SIZE), tile.high(), b.rem(r, SIZE)), first);
                element.apply(row, c, unscaled(row, c, values));
            });
        }
    }

    /** Looks at all of the operands' rows, but of weights that are not split. */
    private void measure(int k, Fill fill) {
        measuring = true;
        scales.clear(b);
        b.barrier();
        b.loop(b.u32(0), b.u32(k), tile.depth(), from -> {
            fill.left(from);
            for (int p = 0; p < split.size(); p++) {
                if (split.get(p)) {
                    fill.right(p, from);
                }
            }
        });
        measuring = false;
    }

    private List<Reg> unscaled(Reg row, Reg column, List<Reg> sums) {
        List<Reg> out = new ArrayList<>();
        for (int p = 0; p < sums.size(); p++) {
            Reg rowwise = scales.unscaled(b, row, sums.get(p));
            Reg at = b.add(column, tile.rows() + p * tile.columns());
            out.add(split.get(p) ? scales.unscaled(b, at, rowwise) : rowwise);
        }
        return out;
    }

    /** Fragments of a subgroup down. */
    private int high() {
        return tile.high() / SIZE;
    }

    /** Fragments of a subgroup across. */
    private int wide() {
        return tile.wide() / SIZE;
    }

    private List<Reg> step(int depth, Reg top, Reg side, List<Reg> sums) {
        List<Reg> high = new ArrayList<>();
        List<Reg> low = new ArrayList<>();
        for (int i = 0; i < high(); i++) {
            Reg at = b.mad(b.add(top, i * SIZE), stride, b.u32(depth));
            high.add(load(a, lefts, at, Layout.ROW_MAJOR));
            low.add(load(a, lefts, b.add(at, tile.rows() * stride), Layout.ROW_MAJOR));
        }
        List<Reg> out = new ArrayList<>(sums);
        for (int p = 0; p < split.size(); p++) {
            for (int j = 0; j < wide(); j++) {
                Reg at = b.mad(b.add(side, j * SIZE), stride, b.u32(depth));
                Reg y = load(right, rights.get(p), at, Layout.COLUMN_MAJOR);
                int first = p * high() * wide() + j;
                for (int i = 0; i < high(); i++) {
                    int to = first + i * wide();
                    out.set(to, b.multiply(high.get(i), y, b.multiply(low.get(i), y, out.get(to))));
                }
                if (split.get(p)) {
                    Reg rest = load(right, rights.get(p), b.add(at, tile.columns() * stride), Layout.COLUMN_MAJOR);
                    for (int i = 0; i < high(); i++) {
                        int to = first + i * wide();
                        out.set(to, b.multiply(high.get(i), rest, out.get(to)));
                    }
                }
            }
        }
        return out;
    }

    private Reg load(Fragment type, SharedArray from, Reg at, Layout layout) {
        return b.loadFragment(type, MemoryBuilder.at(from, at), b.u32(stride), layout);
    }
}
