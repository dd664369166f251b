package poot.backend.vulkan.device;

import static org.lwjgl.vulkan.VK13.*;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkBufferCreateInfo;
import org.lwjgl.vulkan.VkBufferDeviceAddressInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkMemoryAllocateFlagsInfo;
import org.lwjgl.vulkan.VkMemoryAllocateInfo;
import org.lwjgl.vulkan.VkMemoryRequirements;
import poot.api.executor.ExecutorException;

/**
 * One piece of memory and the one buffer that covers it.
 *
 * @param skip bytes of the buffer before the block, so that the block is aligned: a driver need not align that far
 * @param address where kernels see the block, a multiple of {@link MemoryPool#ALIGNMENT}
 * @param mapped the host's view of the block, where it is mapped
 */
record MemoryBlock(VkDevice device, long memory, long buffer, long skip, long address, long bytes, Optional<MemorySegment> mapped)
        implements AutoCloseable {
    private static final int USES = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT
            | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

    /** Memory of {@code type}, mapped for as long as it lives if {@code map}. */
    static MemoryBlock allocate(VkDevice device, int type, boolean map, String what, long bytes) throws ExecutorException {
        long all = bytes + MemoryPool.ALIGNMENT;
        long buffer = buffer(device, what, all);
        long memory = 0;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var needs = VkMemoryRequirements.calloc(stack);
            vkGetBufferMemoryRequirements(device, buffer, needs);
            var flags = VkMemoryAllocateFlagsInfo.calloc(stack).sType$Default().flags(VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT);
            var info = VkMemoryAllocateInfo.calloc(stack).sType$Default().pNext(flags).allocationSize(needs.size()).memoryTypeIndex(type);
            var out = stack.mallocLong(1);
            Outcome.check(vkAllocateMemory(device, info, null, out), "vkAllocateMemory", what, bytes);
            memory = out.get(0);
            Outcome.check(vkBindBufferMemory(device, buffer, memory, 0), "vkBindBufferMemory", what, bytes);
            var place = VkBufferDeviceAddressInfo.calloc(stack).sType$Default().buffer(buffer);
            long address = vkGetBufferDeviceAddress(device, place);
            long skip = -address & (MemoryPool.ALIGNMENT - 1);
            Optional<MemorySegment> mapped = map ? Optional.of(map(device, memory, what, all).asSlice(skip, bytes)) : Optional.empty();
            return new MemoryBlock(device, memory, buffer, skip, address + skip, bytes, mapped);
        } catch (ExecutorException e) {
            vkDestroyBuffer(device, buffer, null);
            vkFreeMemory(device, memory, null);
            throw e;
        }
    }

    private static long buffer(VkDevice device, String what, long bytes) throws ExecutorException {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var info = VkBufferCreateInfo.calloc(stack).sType$Default().size(bytes).usage(USES).sharingMode(VK_SHARING_MODE_EXCLUSIVE);
            var out = stack.mallocLong(1);
            Outcome.check(vkCreateBuffer(device, info, null, out), "vkCreateBuffer", what, bytes);
            return out.get(0);
        }
    }

    @SuppressWarnings("restricted") // Vulkan says where it mapped the memory, and that it maps all of it until it is freed.
    private static MemorySegment map(VkDevice device, long memory, String what, long bytes) throws ExecutorException {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocPointer(1);
            Outcome.check(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, out), "vkMapMemory", what, bytes);
            return MemorySegment.ofAddress(out.get(0)).reinterpret(bytes);
        }
    }

    /** Which memory types a buffer of this kind can lie in, bit by bit. */
    static int allowedTypes(VkDevice device) throws ExecutorException {
        long buffer = buffer(device, "a buffer of the smallest size", MemoryPool.ALIGNMENT);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var needs = VkMemoryRequirements.calloc(stack);
            vkGetBufferMemoryRequirements(device, buffer, needs);
            return needs.memoryTypeBits();
        } finally {
            vkDestroyBuffer(device, buffer, null);
        }
    }

    @Override
    public void close() {
        vkDestroyBuffer(device, buffer, null);
        vkFreeMemory(device, memory, null);
    }
}
