/** The Vulkan executor. */
module poot.backend.vulkan {
    requires transitive poot.api;
    provides poot.api.executor.ExecutorProvider with poot.backend.vulkan.VulkanExecutorProvider;
}
