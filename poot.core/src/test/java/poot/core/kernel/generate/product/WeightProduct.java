package poot.core.kernel.generate.product;

import java.util.List;
import java.util.Optional;
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
 * other rows hold, nor, up to {@link #FEW} rows, on how many there are; nor does it where there are more.
 *
 * <p>Parameters: x [rows, columns]; rows U32, at most the generator's; the sources of each weight in their order
 * ({@link poot.core.kernel.decode.WeightDecoder#sources}); the epilogue's. All memory begins at a multiple of 16 bytes.
 *
 * @param left element type of x: a float
 * @param weights the right operands, [weight rows, columns]
 * @param rows rows of x at most; equal kernels serve several
 * @param precision what the product of many rows may use
 * @param epilogue takes a sum for each weight
 */
public record WeightProduct(ElementType left, List<WeightView> weights, int rows, Precision precision, Epilogue epilogue) implements Generator {
    /**
     * Up to so many rows subgroups read a few rows of the weights each and join their lanes' sums; more are multiplied in tiles,
     * whose sums are made in another order. As many rows as are decoded together on this side of it have the bits they have alone.
     */
    public static final int FEW = 64;

    /** @throws IllegalArgumentException if there is nothing to multiply, or weights and epilogue do not fit together */
    public WeightProduct {
        weights = List.copyOf(weights);
        WeightOperands.check(left, weights, epilogue.sums());
        if (rows < 1) {
            throw new IllegalArgumentException("a product of " + rows + " rows");
        }
    }

    /** As F32 throughout. */
    public WeightProduct(ElementType left, List<WeightView> weights, int rows, Epilogue epilogue) {
        this(left, weights, rows, Precision.F32, epilogue);
    }

    /** The grid. */
    public Grid grid(DeviceLimits limits) {
        return few() ? rowProduct().grid(limits) : manyProduct().grid(limits);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        return few() ? rowProduct().kernel(limits) : manyProduct().kernel(limits);
    }

    private boolean few() {
        return rows <= FEW;
    }

    private RowProducts rowProduct() {
        return new RowProducts(left, Optional.empty(), rows, List.of(new RowProducts.Part(weights, epilogue)));
    }

    private ManyProduct manyProduct() {
        return new ManyProduct(left, weights, rows, precision, epilogue);
    }
}
