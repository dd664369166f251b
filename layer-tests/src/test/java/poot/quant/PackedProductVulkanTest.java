package poot.quant;

import poot.step.Vulkan;

/** Every packed format through a Vulkan device's matrix product. */
class PackedProductVulkanTest extends PackedProductSuite {
    PackedProductVulkanTest() {
        super(Vulkan::shared);
    }
}
