package poot.parity;

import org.junit.jupiter.api.BeforeAll;
import poot.step.Vulkan;

/** Every fusion has the same bits by a Vulkan device. */
class FusionVulkanTest extends FusionSuite {
    FusionVulkanTest() {
        super(workers -> Vulkan.shared(), 8, 1, 2, 3, 9);
    }

    @BeforeAll
    static void require() {
        Vulkan.requireAll();
    }
}
