package poot.parity;

import poot.step.Vulkan;

/** Every primitive by a Vulkan device. */
class PrimitiveVulkanTest extends PrimitiveSuite {
    PrimitiveVulkanTest() {
        super(new Judge(Vulkan::shared), new int[] {1, 2, 3, 7, 8, 9, 17, 33, 65, 129, 1025}, false);
    }
}
