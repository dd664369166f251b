package poot.core.kernel.generate.product;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.ir.Capability;
import poot.core.kernel.ir.Conversion;
import poot.core.kernel.ir.Fragment;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Layout;
import poot.core.kernel.ir.MemoryBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.SharedArray;

/**
 * Tiles of BF16 multiplied as fragments. A value is high + low, each BF16; of the four products of two values all but
 * low * low are summed. Where a right operand is BF16 its low is nothing and left out. Two by two subgroups share the tile.
 */
final class FragmentSums implements WorkgroupSums {
    /** Subgroups of the workgroup. */
    static final int SUBGROUPS = 4;
    private static final int SIZE = Fragment.SIZE;
    private static final int PAD = 8;
    private static final int MOST_PRODUCTS = 2;
    private static final Fragment A = new Fragment(Fragment.Use.A, MemoryType.BF16);
    private static final Fragment B = new Fragment(Fragment.Use.B, MemoryType.BF16);
    private static final Fragment SUM = new Fragment(Fragment.Use.ACCUMULATOR, MemoryType.F32);

    private final KernelBuilder b;
    private final Tile tile;
    private final List<Boolean> lows;
    private final int stride;
    private final SharedArray lefts;
    private final SharedArray rights;
    private final SharedArray results;

    /**
     * Declares the shared memory.
     *
     * @param lows for each product whether its right operand has more than a BF16 holds
     */
    FragmentSums(KernelBuilder b, Tile tile, List<Boolean> lows) {
        this.b = b;
        this.tile = tile;
        this.lows = List.copyOf(lows);
        this.stride = tile.depth() + PAD;
        this.lefts = b.shared("left", MemoryType.BF16, 2 * tile.rows() * stride);
        this.rights = b.shared("right", MemoryType.BF16, lows.size() * 2 * tile.columns() * stride);
        this.results = b.shared("results", MemoryType.F32, lows.size() * tile.rows() * tile.columns());
    }

    /** The tile for so many products. */
    static Tile tile(int products) {
        return new Tile(64, products == 1 ? 64 : 32, 32, 4, 4);
    }

    /** Whether a device has what this takes. */
    static boolean fits(int products, DeviceLimits limits) {
        Tile t = tile(products);
        int halves = 2 * (t.rows() + products * t.columns()) * (t.depth() + PAD);
        int bytes = 2 * halves + 4 * products * t.rows() * t.columns();
        return products <= MOST_PRODUCTS && limits.has(Capability.MATRIX_BF16) && bytes <= limits.sharedBytes()
                && SUBGROUPS * limits.subgroup() <= limits.maxWorkgroup();
    }

    @Override
    public void left(Reg row, Reg depth, List<Reg> values) {
        split(lefts, b.mad(row, stride, depth), tile.rows() * stride, values, true);
    }

    @Override
    public void right(int product, Reg column, Reg depth, List<Reg> values) {
        Reg at = b.add(b.mad(column, stride, depth), product * 2 * tile.columns() * stride);
        split(rights, at, tile.columns() * stride, values, lows.get(product));
    }

    private void split(SharedArray to, Reg at, int apart, List<Reg> values, boolean low) {
        int lanes = Math.min(4, values.size());
        for (int i = 0; i < values.size(); i += lanes) {
            List<Reg> some = values.subList(i, i + lanes);
            b.store(to, b.add(at, i), some);
            if (low) {
                b.store(to, b.add(at, apart + i), some.stream().map(v -> b.sub(v, high(v))).toList());
            }
        }
    }

    private Reg high(Reg value) {
        return b.fromBf16Bits(b.convert(Conversion.F32_TO_BF16_BITS, value));
    }

    @Override
    public void run(int k, Consumer<Reg> fill, Element element) {
        Reg top = b.mul(b.shr(b.subgroup(), 1), tile.rows() / 2);
        Reg side = b.mul(b.and(b.subgroup(), 1), tile.columns() / 2);
        List<Reg> zeros = new ArrayList<>();
        for (int i = 0; i < lows.size() * high() * wide(); i++) {
            zeros.add(b.fill(SUM, b.f32(0)));
        }
        List<Reg> sums = b.loop(b.u32(0), b.u32(k), tile.depth(), zeros, (from, sum) -> {
            b.barrier();
            fill.accept(from);
            b.barrier();
            List<Reg> out = sum;
            for (int depth = 0; depth < tile.depth(); depth += SIZE) {
                out = step(depth, top, side, out);
            }
            return out;
        });
        for (int i = 0; i < sums.size(); i++) {
            Reg row = b.add(top, i / wide() % high() * SIZE);
            Reg at = b.add(b.mad(row, tile.columns(), side), i / (high() * wide()) * tile.rows() * tile.columns() + i % wide() * SIZE);
            b.storeFragment(sums.get(i), MemoryBuilder.at(results, at), b.u32(tile.columns()), Layout.ROW_MAJOR);
        }
        b.barrier();
        WorkgroupSums.hand(b, results, tile, lows.size(), element);
    }

    /** Fragments of a subgroup down. */
    private int high() {
        return tile.rows() / 2 / SIZE;
    }

    /** Fragments of a subgroup across. */
    private int wide() {
        return tile.columns() / 2 / SIZE;
    }

    private List<Reg> step(int depth, Reg top, Reg side, List<Reg> sums) {
        List<Reg> high = new ArrayList<>();
        List<Reg> low = new ArrayList<>();
        for (int i = 0; i < high(); i++) {
            Reg at = b.mad(b.add(top, i * SIZE), stride, b.u32(depth));
            high.add(load(A, lefts, at, Layout.ROW_MAJOR));
            low.add(load(A, lefts, b.add(at, tile.rows() * stride), Layout.ROW_MAJOR));
        }
        List<Reg> out = new ArrayList<>(sums);
        for (int p = 0; p < lows.size(); p++) {
            for (int j = 0; j < wide(); j++) {
                Reg at = b.mad(b.add(side, j * SIZE), stride, b.u32(depth + p * 2 * tile.columns() * stride));
                Reg y = load(B, rights, at, Layout.COLUMN_MAJOR);
                for (int i = 0; i < high(); i++) {
                    int to = (p * high() + i) * wide() + j;
                    out.set(to, b.multiply(high.get(i), y, b.multiply(low.get(i), y, out.get(to))));
                }
                if (lows.get(p)) {
                    Reg rest = load(B, rights, b.add(at, tile.columns() * stride), Layout.COLUMN_MAJOR);
                    for (int i = 0; i < high(); i++) {
                        int to = (p * high() + i) * wide() + j;
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
