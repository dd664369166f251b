package poot.core.kernel.generate.product;

import java.util.List;
import java.util.OptionalInt;
import poot.api.graph.ElementType;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.ir.DeviceKernel;

/**
 * {@code y_w[i, j] = sum over l of x[i, l] * weight_w[j, l]}: computed rows times one or several stored weights of the same
 * extents, transposed, as the epilogue finishes them. Accumulated in F32; the result of a row does not depend on what the
 * other rows hold.
 *
 * <p>Parameters: x [rows, columns]; rows U32, at most the generator's; the sources of each weight in their order
 * ({@link poot.core.kernel.decode.WeightDecoder#sources}); the epilogue's. All memory begins at a multiple of 16 bytes.
 *
 * @param left element type of x: a float
 * @param weights the right operands, [weight rows, columns]
 * @param rows rows of x at most; equal kernels serve several
 * @param precision how the factors of a product of more than {@link #FEW} rows are held
 * @param epilogue takes a sum for each weight
 */
public record WeightProduct(ElementType left, List<WeightView> weights, int rows, Precision precision, Epilogue epilogue) implements Generator {
    /** Up to so many rows subgroups read a few rows of the weights each; more are multiplied in tiles. */
    public static final int FEW = RowProduct.MOST_TOKENS;

    /** @throws IllegalArgumentException if there is nothing to multiply, too much for fragments, or weights and epilogue do not fit together */
    public WeightProduct {
        weights = List.copyOf(weights);
        WeightOperands.check(left, weights, epilogue.sums());
        if (rows < 1) {
            throw new IllegalArgumentException("a product of " + rows + " rows");
        }
        if (precision != Precision.F32 && weights.size() > FragmentSums.MOST_PRODUCTS) {
            throw new IllegalArgumentException(weights.size() + " products by fragments: give up to " + FragmentSums.MOST_PRODUCTS);
        }
    }

    /** As F32 throughout. */
    public WeightProduct(ElementType left, List<WeightView> weights, int rows, Epilogue epilogue) {
        this(left, weights, rows, Precision.F32, epilogue);
    }

    /** The grid. */
    public Grid grid(DeviceLimits limits) {
        return few() ? rowProduct(limits).grid(limits) : tileProduct(limits).grid(rows);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        return few() ? rowProduct(limits).kernel(limits) : tileProduct(limits).kernel(limits);
    }

    private boolean few() {
        return rows <= FEW;
    }

    private RowProduct rowProduct(DeviceLimits limits) {
        int tokens = rows == 1 ? 1 : Integer.highestOneBit(2 * rows - 1);
        return RowProduct.of(left, weights, tokens, OptionalInt.empty(), 1, epilogue, limits);
    }

    private TileProduct tileProduct(DeviceLimits limits) {
        int n = weights.getFirst().rows();
        Tile tile = precision == Precision.F32 ? Tile.of(weights.size(), rows, n, 1, limits) : FragmentSums.tile(weights.size(), rows, n, limits);
        return new TileProduct(left, weights, tile, precision, epilogue);
    }
}
