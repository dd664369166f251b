package poot.core.kernel.generate;

import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.ir.DeviceKernel;

/**
 * A kernel by description: a record of everything its code depends on, so that equal generators mean equal kernels. It
 * knows no memory. Its Javadoc lists the kernel's parameters in order and what each must hold; a method {@code grid}
 * says over which grid the kernel runs.
 */
public interface Generator {
    /** The kernel for a device of these limits; the same for the same limits. */
    DeviceKernel kernel(DeviceLimits limits);
}
