/** The Vulkan executor. */
module poot.backend.vulkan {
    requires transitive poot.api;
    requires poot.core;

    provides poot.api.executor.ExecutorProvider with poot.backend.vulkan.VulkanExecutorProvider;
}
