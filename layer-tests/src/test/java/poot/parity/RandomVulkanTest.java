package poot.parity;

import poot.step.Vulkan;

/** Random graphs by a Vulkan device. */
class RandomVulkanTest extends RandomSuite {
    RandomVulkanTest() {
        super(new Judge(Vulkan::shared), 15);
    }
}
