package poot.parity;

import org.junit.jupiter.api.BeforeAll;
import poot.step.Vulkan;

/** Weights of every one-part encoding by a Vulkan device. */
class WeightVulkanTest extends WeightSuite {
    WeightVulkanTest() {
        super(new Judge(Vulkan::shared), false);
    }

    @BeforeAll
    static void require() {
        Vulkan.requireAll();
    }
}
