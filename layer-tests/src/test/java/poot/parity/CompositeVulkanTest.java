package poot.parity;

import poot.step.Vulkan;

/** The composites that devices have kernels for, by a Vulkan device. */
class CompositeVulkanTest extends CompositeSuite {
    CompositeVulkanTest() {
        super(new Judge(Vulkan::shared), false);
    }
}
