/** The Vulkan executor: SPIR-V from poot's kernels, run through the system's Vulkan loader. */
module poot.backend.vulkan {
    requires transitive poot.api;
    requires poot.core;
    requires org.lwjgl;
    requires org.lwjgl.natives;
    requires org.lwjgl.vulkan;

    provides poot.api.executor.ExecutorProvider with poot.backend.vulkan.VulkanExecutorProvider;
}
