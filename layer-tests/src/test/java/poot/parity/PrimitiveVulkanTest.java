package poot.parity;

import poot.step.Vulkan;

/** Every primitive by a Vulkan device. */
class PrimitiveVulkanTest extends PrimitiveSuite {
    private static final int[] FEW_SIZES = {1, 3, 8, 17, 65};
    private static final int[] SIZES = {1, 2, 3, 7, 8, 9, 17, 33, 65, 129, 1025};

    PrimitiveVulkanTest() {
        super(new Judge(Vulkan::shared), Vulkan.all() ? SIZES : FEW_SIZES, false);
    }
}
