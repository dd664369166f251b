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
 * As {@link WeightProduct}, made for many rows and right for any number: in tiles. The result of a row does not depend on how
 * many there are. Parameters as there.
 */
public record ManyProduct(ElementType left, List<WeightView> weights, int rows, Precision precision, Epilogue epilogue) implements Generator {
    public ManyProduct {
        weights = List.copyOf(weights);
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
        Tile tile = precision == Precision.F32 ? Tile.of(weights.size(), rows, n, 1, limits) : FragmentSums.tile(weights.size(), rows, n, limits);
        return new TileProduct(left, weights, tile, precision, epilogue);
    }
}
