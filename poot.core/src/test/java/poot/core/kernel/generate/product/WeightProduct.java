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
 * Products of rows with weights of the same extents as a plan has them where each sequence has one row: few rows by
 * {@link RowProducts}, more by {@link ManyProduct}. Parameters as there.
 */
record WeightProduct(ElementType left, List<WeightView> weights, int rows, Precision precision, Epilogue epilogue) implements Generator {
    WeightProduct {
        weights = List.copyOf(weights);
    }

    /** As F32 throughout. */
    WeightProduct(ElementType left, List<WeightView> weights, int rows, Epilogue epilogue) {
        this(left, weights, rows, Precision.F32, epilogue);
    }

    Grid grid(DeviceLimits limits) {
        return few() ? rowProduct().grid(limits) : manyProduct().grid(limits);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        return few() ? rowProduct().kernel(limits) : manyProduct().kernel(limits);
    }

    private boolean few() {
        return rows <= RowProducts.FEW;
    }

    private RowProducts rowProduct() {
        return new RowProducts(left, Optional.empty(), rows, List.of(new RowProducts.Part(weights, epilogue)));
    }

    private ManyProduct manyProduct() {
        return new ManyProduct(left, weights, rows, precision, epilogue);
    }
}
