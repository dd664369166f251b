package poot.quant;

import poot.core.kernel.execute.DeviceExecutor;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;

/** Every packed format through the products of devices, interpreted. */
class PackedProductDeviceTest extends PackedProductSuite {
    PackedProductDeviceTest() {
        super(() -> new DeviceExecutor(InterpretedDevice.of(8, Fresh.UNDEFINED)), 1, 2);
    }
}
