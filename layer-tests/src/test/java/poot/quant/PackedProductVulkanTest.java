package poot.quant;

import poot.step.Vulkan;

/** Every packed format through a Vulkan device's products; more rows where there is time. */
class PackedProductVulkanTest extends PackedProductSuite {
    PackedProductVulkanTest() {
        super(Vulkan::shared, Vulkan.all() ? new int[] {1, 9} : new int[] {1});
    }
}
