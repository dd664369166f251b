package poot.core.kernel.generate.product;

import java.util.List;
import poot.api.graph.ElementType;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Elements;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.generate.Strided;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/**
 * {@code out[.., i, j] = sum over l of a[.., i, l] * b[.., j, l]}, of b [.., l, j] where it is not transposed, in tiles; both
 * are computed. Summed in F32 in the order of l. The epilogue's rows count over all batches: batch * m + i. Parameters: a, b,
 * the epilogue's; a and b dense.
 *
 * @param a element type of a: a float
 * @param b element type of b: a float
 * @param batches operand 0 is a, operand 1 is b; visits their leading axes, in matrices
 * @param epilogue takes one sum
 */
public record BatchProduct(ElementType a, ElementType b, boolean transposed, Strided batches, int m, int n, int k, Epilogue epilogue)
        implements Generator {
    /** @throws IllegalArgumentException if an extent is not positive, an operand no float, or the epilogue takes more than one sum */
    public BatchProduct {
        if (m < 1 || n < 1 || k < 1 || !a.isFloat() || !b.isFloat() || epilogue.sums() != 1) {
            throw new IllegalArgumentException("a product of " + a + " [" + m + ", " + k + "] and " + b + " [" + n + ", " + k
                    + "] with an epilogue of " + epilogue.sums() + " sums");
        }
    }

    /** A workgroup for each tile of each batch. */
    public Grid grid(DeviceLimits limits) {
        return flat(tile(limits)).workgroupGrid(limits);
    }

    private Tile tile(DeviceLimits limits) {
        return Tile.of(1, m, n, batches.count(), limits);
    }

    private Flat flat(Tile tile) {
        return new Flat(batches.count() * tile.count(m, n));
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        Tile tile = tile(limits);
        KernelBuilder w = new KernelBuilder("batch_product", tile.threads(), limits.subgroup());
        Reg left = w.buffer("a", Access.READ);
        Reg right = w.buffer("b", Access.READ);
        Epilogue.Bound end = epilogue.declare(w);
        TileSums sums = new TileSums(w, tile, 1);
        Reg group = Flat.workgroup(w);
        w.when(flat(tile).holds(w, group), () -> {
            int across = Math.ceilDiv(n, tile.columns());
            int down = Math.ceilDiv(m, tile.rows());
            Reg side = w.mul(w.rem(group, across), tile.columns());
            Reg top = w.mul(w.rem(w.div(group, across), down), tile.rows());
            Reg batch = w.div(group, across * down);
            List<Reg> matrix = batches.indices(w, batch);
            Reg x = w.advance(left, matrix.get(0), (long) m * k * Elements.memory(a).bytes());
            Reg y = w.advance(right, matrix.get(1), (long) n * k * Elements.memory(b).bytes());
            sums.run(k, new WorkgroupSums.Fill() {
                @Override
                public void left(Reg from) {
                    rows(w, Elements.memory(a), x, m, tile.rows(), tile.depth(), top, from, sums::left);
                }

                @Override
                public void right(int product, Reg from) {
                    if (transposed) {
                        rows(w, Elements.memory(b), y, n, tile.columns(), tile.depth(), side, from, (r, d, v) -> sums.right(product, r, d, v));
                    } else {
                        columns(w, y, tile, side, from, sums);
                    }
                }
            }, (r, c, values) -> {
                Reg row = w.add(top, r);
                Reg column = w.add(side, c);
                w.when(w.and(w.lt(row, m), w.lt(column, n)), () -> end.apply(w.mad(batch, m, row), column, values));
            });
        });
        return w.build();
    }

    /** Takes elements of a tile. */
    @FunctionalInterface
    private interface Sink {
        void put(Reg row, Reg depth, List<Reg> values);
    }

    /** A tile of a matrix [extent, k]: neighbouring threads read along k. */
    private void rows(KernelBuilder w, MemoryType type, Reg matrix, int extent, int high, int depth, Reg first, Reg from, Sink sink) {
        WorkgroupSums.spread(w, high * depth, i -> {
            Reg d = w.rem(i, depth);
            Reg r = w.div(i, depth);
            Reg row = w.min(w.add(first, r), w.u32(extent - 1));
            Reg at = w.add(from, d);
            sink.put(r, d, within(w, at, depth, w.advance(matrix, row, (long) k * type.bytes()), type, at));
        });
    }

    /** A tile of b [k, n]: neighbouring threads read along n. */
    private void columns(KernelBuilder w, Reg matrix, Tile tile, Reg side, Reg from, TileSums sums) {
        MemoryType type = Elements.memory(b);
        WorkgroupSums.spread(w, tile.columns() * tile.depth(), i -> {
            Reg c = w.rem(i, tile.columns());
            Reg d = w.div(i, tile.columns());
            Reg column = w.min(w.add(side, c), w.u32(n - 1));
            Reg at = w.add(from, d);
            sums.right(0, c, d, within(w, at, tile.depth(), w.advance(matrix, at, (long) n * type.bytes()), type, column));
        });
    }

    /** The element {@code index}, alone in a list, where {@code at} is below k, else 0. */
    private List<Reg> within(KernelBuilder w, Reg at, int depth, Reg buffer, MemoryType type, Reg index) {
        return k % depth == 0 ? w.load(type, buffer, index, 1)
                : w.choose(w.lt(at, k), () -> w.load(type, buffer, index, 1), () -> List.of(w.f32(0)));
    }
}
