package poot.core.kernel.generate.product;

import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import poot.api.graph.ElementType;
import poot.core.kernel.decode.Floats;
import poot.core.kernel.decode.WeightDecoder;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Elements;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;

/**
 * {@code y_w[i, j] = sum over l of x[i, l] * weight_w[j, l]} of many rows i, in tiles; every tile of a weight is decoded once
 * for all rows of the tile. Summed in F32 in the order of l, by fragments 16 at a time.
 *
 * <p>Parameters: x [rows, columns]; rows U32; the sources of each weight; the epilogue's.
 *
 * @param left element type of x: a float
 */
record TileProduct(ElementType left, List<WeightView> weights, Tile tile, Precision precision, Epilogue epilogue) implements Generator {
    TileProduct {
        weights = List.copyOf(weights);
    }

    /** The grid for so many rows of x. */
    Grid grid(int rows) {
        return Grid.of(Math.ceilDiv(n(), tile.columns()), Math.ceilDiv(rows, tile.rows()));
    }

    private int n() {
        return weights.getFirst().rows();
    }

    private int k() {
        return weights.getFirst().columns();
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = new KernelBuilder(precision == Precision.F32 ? "tile_product" : "fragment_product", threads(limits), limits.subgroup());
        WeightOperands operands = WeightOperands.declare(b, left, weights);
        Epilogue.Bound end = epilogue.declare(b);
        WorkgroupSums sums = precision == Precision.F32 ? new TileSums(b, tile, weights.size())
                : new FragmentSums(b, tile, precision, weights.stream().map(w -> !precision.holds(w.stored())).toList());
        Reg top = b.mul(b.workgroupY(), tile.rows());
        Reg side = b.mul(b.workgroupX(), tile.columns());
        sums.run(k(), new WorkgroupSums.Fill() {
            @Override
            public void left(Reg from) {
                fillLeft(b, sums, operands, top, from);
            }

            @Override
            public void right(int product, Reg from) {
                fillRight(b, sums, operands, product, side, from);
            }
        }, (r, c, values) -> {
            Reg row = b.add(top, r);
            Reg column = b.add(side, c);
            b.when(b.and(b.lt(row, operands.rows()), b.lt(column, n())), () -> end.apply(row, column, values));
        });
        return b.build();
    }

    private int threads(DeviceLimits limits) {
        return precision == Precision.F32 ? tile.threads() : tile.threads() * limits.subgroup();
    }

    private void fillLeft(KernelBuilder b, WorkgroupSums sums, WeightOperands operands, Reg top, Reg from) {
        int lanes = Integer.lowestOneBit(k() | 4);
        spread(b, tile.rows(), lanes, sums.isAlongDepth(), (row, piece) -> {
            Reg depth = b.mul(piece, lanes);
            Reg at = b.add(from, depth);
            Reg x = operands.xRow(b.min(b.add(top, row), b.sub(operands.rows(), 1)));
            sums.left(row, depth, within(b, at, lanes, () -> Floats.load(b, Elements.memory(left), x, at, lanes)));
        });
    }

    private void fillRight(KernelBuilder b, WorkgroupSums sums, WeightOperands operands, int weight, Reg side, Reg from) {
        WeightDecoder decoder = operands.decoder(weight);
        int length = decoder.length();
        spread(b, tile.columns(), length, sums.isAlongDepth() && !decoder.acrossRows(), (column, run) -> {
            Reg depth = b.mul(run, length);
            Reg row = b.min(b.add(side, column), b.u32(n() - 1));
            List<Reg> values = within(b, b.add(from, depth), length, () ->
                    operands.row(weight, row).run(b.add(b.div(from, length), run)).values(b));
            sums.right(weight, column, depth, values);
        });
    }

    /** Hands pieces of {@code length} elements of a tile's rows to the threads: those of one row to neighbours, or those of one place. */
    private void spread(KernelBuilder b, int rows, int length, boolean alongDepth, BiConsumer<Reg, Reg> body) {
        int pieces = tile.depth() / length;
        WorkgroupSums.spread(b, rows * pieces, i -> {
            if (alongDepth) {
                body.accept(b.div(i, pieces), b.rem(i, pieces));
            } else {
                body.accept(b.rem(i, rows), b.div(i, rows));
            }
        });
    }

    /** What {@code read} gives where {@code at} is below k, zeros beyond. */
    private List<Reg> within(KernelBuilder b, Reg at, int count, Supplier<List<Reg>> read) {
        return k() % tile.depth() == 0 ? read.get() : b.choose(b.lt(at, k()), read, () -> Collections.nCopies(count, b.f32(0)));
    }
}
