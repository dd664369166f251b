package poot.parity;

import poot.core.kernel.execute.DeviceExecutor;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;

/** The composites that devices have kernels for, interpreted. */
class CompositeDeviceTest extends CompositeSuite {
    CompositeDeviceTest() {
        super(new Judge(() -> new DeviceExecutor(InterpretedDevice.of(8, Fresh.UNDEFINED))), false);
    }
}
