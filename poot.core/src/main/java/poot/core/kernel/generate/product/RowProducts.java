package poot.core.kernel.generate.product;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
 * Products of few rows of one left operand, normalised first or not, with weights of several extents, as one launch:
 * {@code y_p[i, j] = sum over l of x[i, l] * weight_p[j, l]} for each part p, as its epilogue finishes them. Accumulated in
 * F32; a row's result is the same bits however many rows there are beside it.
 *
 * <p>Parameters: x [rows, columns]; rows U32; the norm's weight [columns], where there is one; for each part the sources of
 * its weights in their order and the epilogue's. All memory begins at a multiple of 16 bytes.
 *
 * @param left element type of x: a float
 * @param norm what is done to x first
 * @param rows rows of x at most, up to {@link #FEW}; equal kernels serve several
 */
public record RowProducts(ElementType left, Optional<Normed> norm, int rows, List<Part> parts) implements Generator {
    /**
     * Rows of x at most: as many sequences as are decoded together on this side of it have the bits they have alone. More are
     * multiplied in tiles ({@link ManyProduct}), whose sums are made in another order.
     */
    public static final int FEW = 64;

    /**
     * Weights of the same extents.
     *
     * @param epilogue takes a sum for each of them
     */
    public record Part(List<WeightView> weights, Epilogue epilogue) {
        public Part {
            weights = List.copyOf(weights);
            Objects.requireNonNull(epilogue, "epilogue");
        }
    }

    /** @throws IllegalArgumentException if there is nothing to multiply, or weights, epilogues and norm do not fit together */
    public RowProducts {
        parts = List.copyOf(parts);
        if (rows < 1 || rows > FEW || parts.isEmpty()) {
            throw new IllegalArgumentException(parts.size() + " products of " + rows + " rows: give some, of 1 to " + FEW + " rows");
        }
        for (Part p : parts) {
            WeightOperands.check(left, p.weights(), p.epilogue().sums());
            if (p.weights().getFirst().columns() != parts.getFirst().weights().getFirst().columns()) {
                throw new IllegalArgumentException("one launch with rows of " + p.weights().getFirst().columns() + " and of "
                        + parts.getFirst().weights().getFirst().columns() + " elements: give them the same left operand");
            }
            if (norm.isPresent() && !normalises(p.weights())) {
                throw new IllegalArgumentException("a norm before runs of " + WeightOperands.length(p.weights()) + " elements");
            }
        }
    }

    /** Whether a norm can be part of the product with weights. */
    public static boolean normalises(List<WeightView> weights) {
        return WeightOperands.length(weights) % RowNorm.PIECE == 0;
    }

    /** The grid. */
    public Grid grid(DeviceLimits limits) {
        RowLaunch launch = launch(limits);
        return launch.grid(limits, Math.ceilDiv(rows, launch.tokens()));
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        return launch(limits).kernel(limits);
    }

    /** Of as many rows a workgroup as its memory has room for; how many they are has no part in how a row is summed. */
    private RowLaunch launch(DeviceLimits limits) {
        int tokens = Math.min(RowProduct.MOST_TOKENS, rows == 1 ? 1 : Integer.highestOneBit(2 * rows - 1));
        RowLaunch launch = launch(tokens, limits);
        while (tokens > 1 && launch.sharedBytes(limits) > limits.sharedBytes()) {
            tokens /= 2;
            launch = launch(tokens, limits);
        }
        return launch;
    }

    private RowLaunch launch(int tokens, DeviceLimits limits) {
        List<RowProduct> all = new ArrayList<>();
        for (Part p : parts) {
            all.add(RowProduct.of(p.weights(), tokens, p.weights().getFirst().rows(), 1, p.epilogue(), limits));
        }
        return new RowLaunch(left, norm, OptionalInt.empty(), rows > tokens, all);
    }
}
