package poot.core.kernel.plan;

import java.util.Locale;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.generate.product.Precision;

/**
 * How products with stored weights that are multiplied in tiles hold their factors; this is decided here and nowhere else.
 *
 * <p>Few rows, of one token a sequence, are no matter of it: they are multiplied as F32 by threads
 * ({@link poot.core.kernel.generate.product.RowProducts}), for each weight is read once for all of them, and reading is what
 * takes the time. In tiles multiplying takes it, and matrix fragments do that at 8 to 16 times the rate of threads, so that the
 * two or three products of split factors still pay. The choice depends on the device alone, not on how many rows there are nor
 * on what other products share the kernel.
 */
public enum ProductPolicy {
    /**
     * Matrix fragments where the device has them. F16 before BF16: two of them hold a product to 2^-20, and logits are as near as
     * with F32; two BF16 to 2^-16, and logits are off by twenty times as much. Its price is a look at each row before, for a power
     * of two that brings it into F16's reach, and a third product where weights are BF16.
     */
    FRAGMENTS,
    /** F32 always. */
    F32;

    /** The system property that names one, in any case; read from the environment as {@code POOT_GPU_PRODUCTS}. */
    public static final String PROPERTY = "poot.gpu.products";

    /** What this process's system property or environment says, else {@link #FRAGMENTS}. */
    public static ProductPolicy fromEnvironment() {
        String said = System.getProperty(PROPERTY, System.getenv().getOrDefault("POOT_GPU_PRODUCTS", ""));
        return said.strip().toUpperCase(Locale.ROOT).equals(F32.name()) ? F32 : FRAGMENTS;
    }

    /** How such products hold their factors on a device. */
    Precision precision(DeviceLimits limits) {
        if (this == FRAGMENTS && Precision.SPLIT_F16.fits(limits)) {
            return Precision.SPLIT_F16;
        }
        return this == FRAGMENTS && Precision.SPLIT_BF16.fits(limits) ? Precision.SPLIT_BF16 : Precision.F32;
    }
}
