package poot.core.kernel.generate.product;

import poot.api.graph.ElementType;
import poot.core.kernel.decode.StoredMatrix;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.ir.Capability;
import poot.core.kernel.ir.MemoryType;

/**
 * How the factors of a product of many rows are held while they are multiplied; sums are F32 always. A split factor is the
 * sum of two narrow ones: of the four products of two factors all but the least are summed, three. A weight that its
 * encoding holds in one narrow float is not split: two. Where a factor is infinite or no number, the sums it is part of
 * are no numbers.
 */
public enum Precision {
    /** As F32: the product of two is rounded to 24 bits. Multiplied by threads. */
    F32,
    /**
     * As sums of two BF16, 16 bits, multiplied by matrix fragments. An element of the result errs by about 2^-16 of the sum
     * of its products' magnitudes at most.
     */
    SPLIT_BF16,
    /**
     * As sums of two F16, 22 bits, multiplied by matrix fragments. F16 does not reach as far as F32: every row of either
     * operand is scaled by a power of two that brings its largest element below 2^15, which is looked for first. An element
     * of the result errs by about 2^-20 of the sum of its products' magnitudes at most, and 2^-38 of the largest.
     */
    SPLIT_F16;

    /** Whether a device has what it takes, for as many products at once as there may be. */
    public boolean fits(DeviceLimits limits) {
        return switch (this) {
            case F32 -> true;
            case SPLIT_BF16 -> limits.has(Capability.MATRIX_BF16) && FragmentSums.fits(limits);
            case SPLIT_F16 -> limits.has(Capability.MATRIX_F16) && FragmentSums.fits(limits);
        };
    }

    /** A narrow factor in memory. */
    MemoryType narrow() {
        return switch (this) {
            case F32 -> MemoryType.F32;
            case SPLIT_BF16 -> MemoryType.BF16;
            case SPLIT_F16 -> MemoryType.F16;
        };
    }

    /** Whether each element of a weight is one narrow factor. */
    boolean holds(StoredMatrix weight) {
        return switch (this) {
            case F32 -> true;
            case SPLIT_BF16 -> weight.isExactIn(ElementType.BF16);
            case SPLIT_F16 -> weight.isExactIn(ElementType.F16);
        };
    }
}
