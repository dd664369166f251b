package poot.backend.cuda.device;

import poot.backend.cuda.ffi.DriverModule;
import poot.core.kernel.device.CompiledKernel;
import poot.core.kernel.ir.DeviceKernel;

/**
 * A kernel that the driver has assembled.
 *
 * @param kernel what it was made from
 * @param owner the device it was made for
 * @param module the assembled text
 * @param sharedBytes shared memory each launch asks for beside what the module declares
 */
record CudaKernel(DeviceKernel kernel, CudaDevice owner, DriverModule module, int sharedBytes) implements CompiledKernel {
    @Override
    public String toString() {
        return kernel.name();
    }
}
