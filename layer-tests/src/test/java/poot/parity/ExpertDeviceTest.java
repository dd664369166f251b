package poot.parity;

import poot.core.kernel.execute.DeviceExecutor;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;

/** Experts by the kernels of devices, interpreted. */
class ExpertDeviceTest extends ExpertSuite {
    ExpertDeviceTest() {
        super(new Judge(() -> new DeviceExecutor(InterpretedDevice.of(8, Fresh.UNDEFINED))));
    }
}
