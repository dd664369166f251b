package poot.core.kernel.generate.product;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import poot.api.graph.ElementType;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.ir.DeviceKernel;

/**
 * {@code y_w[i, j] = sum over l of x[i / each, l] * weight_w[indices[i], j, l]}: rows of the result times one matrix each of
 * several, transposed, as the epilogue finishes them; the sums are zeros where the index is none of the weight's matrices.
 * Accumulated in F32. Each row reads its matrix for itself: made for few rows.
 *
 * <p>Parameters: x [rows / each, columns]; rows U32; the sources of each weight in their order
 * ({@link poot.core.kernel.decode.WeightDecoder#sources}); indices I32 [rows]; the epilogue's. All memory begins at a multiple
 * of 16 bytes.
 *
 * @param left element type of x: a float
 * @param weights the right operands, whole matrices [matrices, n, columns]
 * @param rows of the result, at most {@link #MOST_ROWS}
 * @param each rows of the result that are of one row of x, one behind the other
 * @param epilogue takes a sum for each weight
 */
public record ExpertProduct(ElementType left, List<WeightView> weights, int rows, int each, Epilogue epilogue) implements Generator {
    /** Rows of one launch. */
    public static final int MOST_ROWS = 65_535;

    /** @throws IllegalArgumentException if weights and epilogue do not fit together, a view cuts a matrix, or rows are amiss */
    public ExpertProduct {
        weights = List.copyOf(weights);
        WeightOperands.check(left, weights, epilogue.sums());
        int n = weights.getFirst().stored().rows();
        for (WeightView w : weights) {
            if (w.stored().rows() != n || w.firstRow() % n != 0 || w.rows() % n != 0) {
                throw new IllegalArgumentException("experts of " + w + ": give whole matrices of " + n + " rows");
            }
        }
        if (each < 1 || rows < 1 || rows > MOST_ROWS || rows % each != 0) {
            throw new IllegalArgumentException(rows + " rows, " + each + " of each row of x: give 1 to " + MOST_ROWS + ", a multiple of it");
        }
    }

    /** The grid. */
    public Grid grid(DeviceLimits limits) {
        Grid one = launch(limits).grid(limits, 1);
        return new Grid(one.x(), one.y(), rows);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        return launch(limits).kernel(limits);
    }

    /** Chosen for one row of x: how many there are has no part in how a row is summed. */
    private RowLaunch launch(DeviceLimits limits) {
        RowProduct product = RowProduct.of(weights, 1, weights.getFirst().stored().rows(), each, epilogue, limits);
        return new RowLaunch(left, Optional.empty(), OptionalInt.of(each), false, List.of(product));
    }
}
