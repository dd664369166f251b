/**
 * Vulkan devices, through LWJGL. {@link poot.backend.vulkan.device.VulkanOptions} says which device is opened and how;
 * {@link poot.backend.vulkan.device.VulkanDevice} is {@link poot.core.kernel.device.Device} over it;
 * {@link poot.backend.vulkan.device.VulkanDevices} says what there is.
 *
 * <p>Within, in the order they are made: instance, physical device, its features and properties, logical device,
 * memory, submissions, transfers, pipelines, recordings. Every Vulkan handle is held here, by the one object that
 * releases it.
 *
 * <p>Not here: SPIR-V, which {@link poot.backend.vulkan.spirv} writes.
 */
package poot.backend.vulkan.device;
