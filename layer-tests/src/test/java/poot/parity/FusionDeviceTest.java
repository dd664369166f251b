package poot.parity;

import poot.core.kernel.execute.DeviceExecutor;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;

/** Every fusion has the same bits by the kernels of devices, interpreted. */
class FusionDeviceTest extends FusionSuite {
    FusionDeviceTest() {
        super(workers -> new DeviceExecutor(InterpretedDevice.of(8, Fresh.UNDEFINED)), 8, 1, 2, 3, 9);
    }
}
