package poot.core.kernel.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.junit.jupiter.api.Test;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.generate.product.Precision;
import poot.core.kernel.ir.Capability;

/** What is multiplied by matrix fragments. */
class ProductPolicyTest {
    private static DeviceLimits limits(int sharedBytes, Capability... capabilities) {
        return new DeviceLimits("paper", "a device", 32, 32, 32, 1024, 65_535, 65_535, sharedBytes, 1L << 30, 1L << 30, 8, false, Set.of(capabilities));
    }

    @Test
    void theDeviceDecides() {
        assertEquals(Precision.SPLIT_F16, ProductPolicy.FRAGMENTS.precision(limits(48 << 10, Capability.MATRIX_F16, Capability.MATRIX_BF16)));
        assertEquals(Precision.SPLIT_BF16, ProductPolicy.FRAGMENTS.precision(limits(48 << 10, Capability.MATRIX_BF16)));
        assertEquals(Precision.F32, ProductPolicy.FRAGMENTS.precision(limits(48 << 10, Capability.MATRIX_I8)));
    }

    @Test
    void f32MayBeForced() {
        assertEquals(Precision.F32, ProductPolicy.F32.precision(limits(48 << 10, Capability.MATRIX_BF16)));
        System.setProperty(ProductPolicy.PROPERTY, " f32 ");
        try {
            assertEquals(ProductPolicy.F32, ProductPolicy.fromEnvironment());
        } finally {
            System.clearProperty(ProductPolicy.PROPERTY);
        }
        assertEquals(ProductPolicy.FRAGMENTS, ProductPolicy.fromEnvironment());
    }

    @Test
    void tooLittleMemory() {
        assertEquals(Precision.F32, ProductPolicy.FRAGMENTS.precision(limits(16 << 10, Capability.MATRIX_BF16)));
    }
}
