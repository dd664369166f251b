package poot.core.kernel.generate.product;

import java.util.List;
import poot.api.graph.ElementType;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.ir.DeviceKernel;

/**
 * {@code y_w[i, j] = sum over l of x[i, l] * weight_w[j, l]}: computed rows times one or several stored weights of the same
 * extents, transposed, as the epilogue finishes them; in tiles, made for many rows and right for any number. Accumulated in
 * F32; a row's result is the same bits whatever the other rows hold and however many there are.
 *
 * <p>Parameters: x [rows, columns]; rows U32, at most the generator's; the sources of each weight in their order
 * ({@link poot.core.kernel.decode.WeightDecoder#sources}); the epilogue's. All memory begins at a multiple of 16 bytes.
 *
 * @param left element type of x: a float
 * @param weights the right operands, [weight rows, columns]
 * @param rows of x at most
 * @param precision how the factors are held
 * @param epilogue takes a sum for each weight
 */
public record ManyProduct(ElementType left, List<WeightView> weights, int rows, Precision precision, Epilogue epilogue) implements Generator {
    /**
     * @throws IllegalArgumentException if there is nothing to multiply, too much for fragments, or weights and epilogue do not fit
     *     together
     */
    public ManyProduct {
        weights = List.copyOf(weights);
        WeightOperands.check(left, weights, epilogue.sums());
        if (rows < 1) {
            throw new IllegalArgumentException("a product of " + rows + " rows");
        }
        if (precision != Precision.F32 && weights.size() > FragmentSums.MOST_PRODUCTS) {
            throw new IllegalArgumentException(weights.size() + " products by fragments: give up to " + FragmentSums.MOST_PRODUCTS);
        }
    }

    /** The grid. */
    public Grid grid(DeviceLimits limits) {
        return tileProduct(limits).grid(rows);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        return tileProduct(limits).kernel(limits);
    }

    private TileProduct tileProduct(DeviceLimits limits) {
        int n = weights.getFirst().rows();
        Tile tile = precision == Precision.F32 ? Tile.of(weights.size(), rows, n, 1, limits)
                : FragmentSums.tile(weights.size(), rows, n, limits);
        return new TileProduct(left, weights, tile, precision, epilogue);
    }
}
