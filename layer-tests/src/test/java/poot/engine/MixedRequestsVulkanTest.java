package poot.engine;

import poot.step.Vulkan;

/** Some dozens of requests to a Vulkan device: each gets what the CPU chooses greedily. */
class MixedRequestsVulkanTest extends MixedRequestsSuite {
    MixedRequestsVulkanTest() {
        super("", new Load(60, 30, 30, 8, 128, 9, 32, false), Vulkan::shared);
    }
}
