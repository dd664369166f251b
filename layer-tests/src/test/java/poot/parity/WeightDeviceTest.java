package poot.parity;

import poot.core.kernel.execute.DeviceExecutor;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;

/** Weights of every one-part encoding by the kernels of devices, interpreted. */
class WeightDeviceTest extends WeightSuite {
    WeightDeviceTest() {
        super(new Judge(() -> new DeviceExecutor(InterpretedDevice.of(8, Fresh.UNDEFINED))), false);
    }
}
