package poot.parity;

import poot.core.kernel.execute.DeviceExecutor;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;

/** Random graphs by the kernels of devices, interpreted. */
class RandomDeviceTest extends RandomSuite {
    RandomDeviceTest() {
        super(new Judge(() -> new DeviceExecutor(InterpretedDevice.of(16, Fresh.UNDEFINED))), 30);
    }
}
