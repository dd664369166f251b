package poot.core.kernel.plan;

import java.util.HashMap;
import java.util.Map;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.ir.DeviceKernel;

/** The kernels that generators gave for one device, each written once. */
public final class Kernels {
    private final DeviceLimits limits;
    private final ProductPolicy products;
    private final Map<Generator, DeviceKernel> known = new HashMap<>();

    /** For a device of these limits, products of many rows multiplied as {@code products} says. */
    public Kernels(DeviceLimits limits, ProductPolicy products) {
        this.limits = limits;
        this.products = products;
    }

    /** How products of many rows are multiplied. */
    public ProductPolicy products() {
        return products;
    }

    /** The device's. */
    public DeviceLimits limits() {
        return limits;
    }

    /** The kernel of a generator. */
    public DeviceKernel of(Generator g) {
        DeviceKernel kernel = known.get(g);
        if (kernel == null) {
            kernel = g.kernel(limits);
            known.put(g, kernel);
        }
        return kernel;
    }
}
