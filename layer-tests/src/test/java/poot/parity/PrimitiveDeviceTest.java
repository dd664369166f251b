package poot.parity;

import poot.core.kernel.execute.DeviceExecutor;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;

/** Every primitive by the kernels of devices, interpreted, is what the oracle says; small, since interpreting is slow. */
class PrimitiveDeviceTest extends PrimitiveSuite {
    PrimitiveDeviceTest() {
        super(new Judge(() -> new DeviceExecutor(InterpretedDevice.of(8, Fresh.UNDEFINED))), new int[] {1, 3, 8, 17, 33, 65}, false);
    }
}
