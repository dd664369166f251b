package poot.backend.vulkan.device;

import static org.lwjgl.vulkan.VK13.*;

import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.EXTMemoryBudget;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryBudgetPropertiesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties2;
import poot.api.executor.MemoryLeft;

/**
 * What a device's memory of one kind comes from, at one moment.
 *
 * @param index its place among the device's heaps
 * @param bytes of it, less what others hold where the driver says so
 * @param used  bytes that this process holds, where the driver says so; else -1
 */
record MemoryHeap(int index, long bytes, long used) {
    /** The heap of a memory type. */
    static MemoryHeap of(PhysicalDevice device, int type) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var all = VkPhysicalDeviceMemoryProperties2.calloc(stack).sType$Default();
            var budget = VkPhysicalDeviceMemoryBudgetPropertiesEXT.calloc(stack).sType$Default();
            boolean budgeted = device.extensions().contains(EXTMemoryBudget.VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
            if (budgeted) {
                all.pNext(budget);
            }
            vkGetPhysicalDeviceMemoryProperties2(device.handle(), all);
            int index = all.memoryProperties().memoryTypes(type).heapIndex();
            long size = all.memoryProperties().memoryHeaps(index).size();
            return budgeted ? new MemoryHeap(index, Math.min(size, budget.heapBudget(index)), budget.heapUsage(index))
                    : new MemoryHeap(index, size, -1);
        }
    }

    /** What is left of it where poot itself holds {@code held} bytes, which counts where the driver does not tell. */
    MemoryLeft left(String device, long held) {
        return new MemoryLeft(device, bytes, Math.max(0, bytes - (used < 0 ? held : used)));
    }
}
