/** The vulkan executor. */
module poot.backend.vulkan {
    requires transitive poot.api;
}
