package poot.core.kernel.device;

import poot.core.kernel.ir.DeviceKernel;

/** A kernel made ready by one device, which owns it. */
public interface CompiledKernel {
    /** What it was made from. */
    DeviceKernel kernel();
}
