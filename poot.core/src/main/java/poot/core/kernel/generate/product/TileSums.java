package poot.core.kernel.generate.product;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.SharedArray;

/**
 * Tiles of F32: each thread multiplies its part of them in registers. Sums are made in the order of the summed axis, each step
 * rounded once.
 */
final class TileSums implements WorkgroupSums {
    private static final int STEPS = 4;
    private final KernelBuilder b;
    private final Tile tile;
    private final int products;
    private final SharedArray shared;

    TileSums(KernelBuilder b, Tile tile, int products) {
        this.b = b;
        this.tile = tile;
        this.products = products;
        this.shared = b.shared("tiles", MemoryType.F32, tile.floats(products));
    }

    @Override
    public boolean isAlongDepth() {
        return false;
    }

    @Override
    public void left(Reg row, Reg depth, List<Reg> values) {
        for (int i = 0; i < values.size(); i++) {
            b.store(shared, b.mad(b.add(depth, i), tile.rows() + Tile.PAD, row), values.get(i));
        }
    }

    @Override
    public void right(int product, Reg column, Reg depth, List<Reg> values) {
        for (int i = 0; i < values.size(); i++) {
            b.store(shared, b.add(b.mad(b.add(depth, i), tile.columns() + Tile.PAD, column), rightAt(product)), values.get(i));
        }
    }

    private int rightAt(int product) {
        return tile.depth() * (tile.rows() + Tile.PAD) + product * tile.depth() * (tile.columns() + Tile.PAD);
    }

    @Override
    public void run(int k, Fill fill, Element element) {
        Reg across = b.u32(tile.columns() / tile.wide());
        Reg top = b.mul(b.div(b.thread(), across), tile.high());
        Reg side = b.mul(b.rem(b.thread(), across), tile.wide());
        List<Reg> zeros = Collections.nCopies(products * tile.high() * tile.wide(), b.f32(0));
        List<Reg> sums = b.loop(b.u32(0), b.u32(k), tile.depth(), zeros, (from, sum) -> {
            b.barrier();
            fill.left(from);
            for (int p = 0; p < products; p++) {
                fill.right(p, from);
            }
            b.barrier();
            return b.loop(b.u32(0), b.u32(tile.depth()), STEPS, sum, (d, inner) -> {
                List<Reg> out = inner;
                for (int s = 0; s < STEPS; s++) {
                    out = step(b.add(d, s), top, side, out);
                }
                return out;
            });
        });
        hand(sums, top, side, element);
    }

    private List<Reg> step(Reg depth, Reg top, Reg side, List<Reg> sums) {
        List<Reg> x = vector(b.mad(depth, tile.rows() + Tile.PAD, top), tile.high());
        List<Reg> out = new ArrayList<>(sums.size());
        for (int p = 0; p < products; p++) {
            List<Reg> y = vector(b.add(b.mad(depth, tile.columns() + Tile.PAD, side), rightAt(p)), tile.wide());
            for (Reg xi : x) {
                for (Reg yj : y) {
                    out.add(b.fma(xi, yj, sums.get(out.size())));
                }
            }
        }
        return out;
    }

    private List<Reg> vector(Reg at, int count) {
        List<Reg> out = new ArrayList<>(count);
        for (int i = 0; i < count; i += 4) {
            out.addAll(b.load(shared, b.add(at, i), 4));
        }
        return out;
    }

    /** Through shared memory, so that neighbouring threads have neighbouring columns and the element's code is there once. */
    private void hand(List<Reg> sums, Reg top, Reg side, Element element) {
        int area = tile.rows() * tile.columns();
        b.barrier();
        for (int i = 0; i < sums.size(); i += 4) {
            int p = i / (tile.high() * tile.wide());
            int row = i / tile.wide() % tile.high();
            Reg at = b.mad(b.add(top, row), tile.columns(), b.add(side, i % tile.wide()));
            b.store(shared, b.add(at, p * area), sums.subList(i, i + 4));
        }
        b.barrier();
        WorkgroupSums.hand(b, shared, tile.rows(), tile.columns(), products, element);
    }
}
