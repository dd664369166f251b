package poot.parity;

import org.junit.jupiter.api.BeforeAll;
import poot.step.Vulkan;

/** Experts by a Vulkan device. */
class ExpertVulkanTest extends ExpertSuite {
    ExpertVulkanTest() {
        super(new Judge(Vulkan::shared));
    }

    @BeforeAll
    static void require() {
        Vulkan.requireAll();
    }
}
