package poot.backend.vulkan.device;

import static org.lwjgl.vulkan.VK13.*;

import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.NotAvailable;

/**
 * The kinds of memory that buffers are made of, by Vulkan's index.
 *
 * @param device where kernels reach it fastest
 * @param deviceMapped whether the host can map that too, and reads it as fast as its own
 * @param host what the host maps, cached if there is such
 */
record MemoryTypes(int device, boolean deviceMapped, int host) {
    private static final int MAPPED = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

    /** @param allowed bit by bit the types a buffer can lie in */
    static MemoryTypes of(PhysicalDevice device, int allowed) throws ExecutorException {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var all = VkPhysicalDeviceMemoryProperties.calloc(stack);
            vkGetPhysicalDeviceMemoryProperties(device.handle(), all);
            int local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
            int cached = MAPPED | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
            int onDevice = device.kind().isUnified()
                    ? first(all, allowed, local | cached, local | MAPPED, local, MAPPED)
                    : first(all, allowed, local, MAPPED);
            int host = first(all, allowed, cached, MAPPED);
            if (onDevice < 0 || host < 0) {
                throw new ExecutorException(new NotAvailable(Outcome.BACKEND, device.name() + " has no memory that the host can map"));
            }
            boolean mapped = device.kind().isUnified() && (all.memoryTypes(onDevice).propertyFlags() & cached) == cached;
            return new MemoryTypes(onDevice, mapped, host);
        }
    }

    /** The first type that has all of the first set of flags, else of the next; -1 if none has. */
    private static int first(VkPhysicalDeviceMemoryProperties all, int allowed, int... wishes) {
        for (int wish : wishes) {
            for (int i = 0; i < all.memoryTypeCount(); i++) {
                if ((allowed >> i & 1) != 0 && (all.memoryTypes(i).propertyFlags() & wish) == wish) {
                    return i;
                }
            }
        }
        return -1;
    }
}
