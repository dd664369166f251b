package poot.backend.vulkan.device;

import static org.lwjgl.vulkan.VK13.*;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkQueueFamilyProperties;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.NotAvailable;

/**
 * A device opened with every feature kernels use, and one queue of it.
 *
 * @param family the queue's family
 */
record LogicalDevice(VkDevice handle, VkQueue queue, int family) implements AutoCloseable {
    static LogicalDevice open(PhysicalDevice device, Set<DeviceFeatures> features) throws ExecutorException {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            int family = family(device, stack);
            var queues = VkDeviceQueueCreateInfo.calloc(1, stack);
            queues.get(0).sType$Default().queueFamilyIndex(family).pQueuePriorities(stack.floats(1));
            var chain = DeviceFeatures.Chain.of(device, stack);
            chain.enable(EnumSet.copyOf(features));
            var info = VkDeviceCreateInfo.calloc(stack).sType$Default().pQueueCreateInfos(queues);
            info.pNext(chain.head().address());
            info.ppEnabledExtensionNames(names(chain.extensions(), stack));
            PointerBuffer out = stack.mallocPointer(1);
            Outcome.check(vkCreateDevice(device.handle(), info, null, out), "vkCreateDevice", device.name());
            VkDevice handle = new VkDevice(out.get(0), device.handle(), info, VK_API_VERSION_1_3);
            vkGetDeviceQueue(handle, family, 0, out);
            return new LogicalDevice(handle, new VkQueue(out.get(0), handle), family);
        }
    }

    private static PointerBuffer names(List<String> names, MemoryStack stack) {
        PointerBuffer out = stack.mallocPointer(names.size());
        names.forEach(n -> out.put(stack.UTF8(n)));
        return out.flip();
    }

    /** A family that computes, one that does nothing else if there is one: nothing on screen waits for its work. */
    private static int family(PhysicalDevice device, MemoryStack stack) throws ExecutorException {
        VkPhysicalDevice physical = device.handle();
        var count = stack.mallocInt(1);
        vkGetPhysicalDeviceQueueFamilyProperties(physical, count, null);
        var families = VkQueueFamilyProperties.malloc(count.get(0), stack);
        vkGetPhysicalDeviceQueueFamilyProperties(physical, count, families);
        int best = -1;
        for (int i = 0; i < families.capacity(); i++) {
            int flags = families.get(i).queueFlags();
            if ((flags & VK_QUEUE_COMPUTE_BIT) != 0 && (best < 0 || (flags & VK_QUEUE_GRAPHICS_BIT) == 0)) {
                best = i;
                if ((flags & VK_QUEUE_GRAPHICS_BIT) == 0) {
                    break;
                }
            }
        }
        if (best < 0) {
            throw new ExecutorException(new NotAvailable(Outcome.BACKEND, device.name() + " has no queue that computes"));
        }
        return best;
    }

    @Override
    public void close() {
        vkDestroyDevice(handle, null);
    }
}
