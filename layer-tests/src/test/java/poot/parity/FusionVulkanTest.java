package poot.parity;

import poot.step.Vulkan;

/** Every fusion has the same bits by a Vulkan device. */
class FusionVulkanTest extends FusionSuite {
    FusionVulkanTest() {
        super(workers -> Vulkan.shared(), 8, 1, 2, 3, 9);
    }
}
