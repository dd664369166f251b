/** The Vulkan backend: its {@link poot.backend.vulkan.VulkanExecutorProvider}, which says whether and why not it can run. */
package poot.backend.vulkan;
