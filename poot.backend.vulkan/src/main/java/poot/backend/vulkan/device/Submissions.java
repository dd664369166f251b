package poot.backend.vulkan.device;

import static org.lwjgl.vulkan.VK13.*;

import java.nio.LongBuffer;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferAllocateInfo;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;
import org.lwjgl.vulkan.VkCommandPoolCreateInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkMemoryBarrier;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreTypeCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;
import org.lwjgl.vulkan.VkSubmitInfo;
import org.lwjgl.vulkan.VkTimelineSemaphoreSubmitInfo;
import poot.api.executor.ExecutorException;

/**
 * Command buffers and the queue they go to. Each submission raises the timeline semaphore to the next number, by which
 * it is waited for. What a submission is described with is allocated once.
 */
final class Submissions implements AutoCloseable {
    private static final long FOREVER = -1;
    private static final int STAGES = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    private static final int WRITES = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    private static final int READS = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;

    private final LogicalDevice device;
    private final long pool;
    private final long semaphore;
    private final PointerBuffer commands = MemoryUtil.memAllocPointer(1);
    private final LongBuffer semaphores = MemoryUtil.memAllocLong(1);
    private final LongBuffer signal = MemoryUtil.memAllocLong(1);
    private final LongBuffer awaited = MemoryUtil.memAllocLong(1);
    private final VkTimelineSemaphoreSubmitInfo timeline = VkTimelineSemaphoreSubmitInfo.calloc().sType$Default();
    private final VkSubmitInfo submit = VkSubmitInfo.calloc().sType$Default();
    private final VkSemaphoreWaitInfo wait = VkSemaphoreWaitInfo.calloc().sType$Default();
    private long submitted;

    private Submissions(LogicalDevice device, long pool, long semaphore) {
        this.device = device;
        this.pool = pool;
        this.semaphore = semaphore;
        semaphores.put(0, semaphore);
        timeline.pSignalSemaphoreValues(signal);
        submit.pNext(timeline).pCommandBuffers(commands).pSignalSemaphores(semaphores);
        wait.semaphoreCount(1).pSemaphores(semaphores).pValues(awaited);
    }

    static Submissions open(LogicalDevice device) throws ExecutorException {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            var pools = VkCommandPoolCreateInfo.calloc(stack).sType$Default().queueFamilyIndex(device.family())
                    .flags(VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT);
            Outcome.check(vkCreateCommandPool(device.handle(), pools, null, out), "vkCreateCommandPool", "commands");
            long pool = out.get(0);
            var type = VkSemaphoreTypeCreateInfo.calloc(stack).sType$Default().semaphoreType(VK_SEMAPHORE_TYPE_TIMELINE);
            var info = VkSemaphoreCreateInfo.calloc(stack).sType$Default().pNext(type);
            int result = vkCreateSemaphore(device.handle(), info, null, out);
            if (result != VK_SUCCESS) {
                vkDestroyCommandPool(device.handle(), pool, null);
            }
            Outcome.check(result, "vkCreateSemaphore", "commands");
            return new Submissions(device, pool, out.get(0));
        }
    }

    /** A fresh command buffer, open for commands. */
    VkCommandBuffer begin() throws ExecutorException {
        VkCommandBuffer buffer = fresh();
        try {
            begin(buffer);
            return buffer;
        } catch (ExecutorException e) {
            free(buffer);
            throw e;
        }
    }

    /** A fresh command buffer, to be opened. */
    VkCommandBuffer fresh() throws ExecutorException {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var info = VkCommandBufferAllocateInfo.calloc(stack).sType$Default().commandPool(pool)
                    .level(VK_COMMAND_BUFFER_LEVEL_PRIMARY).commandBufferCount(1);
            var out = stack.mallocPointer(1);
            VkDevice handle = device.handle();
            Outcome.check(vkAllocateCommandBuffers(handle, info, out), "vkAllocateCommandBuffers", "commands");
            return new VkCommandBuffer(out.get(0), handle);
        }
    }

    /** Opens a command buffer anew; what was in it is gone. It sees what was submitted before it. */
    void begin(VkCommandBuffer buffer) throws ExecutorException {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            Outcome.check(vkBeginCommandBuffer(buffer, VkCommandBufferBeginInfo.calloc(stack).sType$Default()),
                    "vkBeginCommandBuffer", "commands");
        }
        barrier(buffer);
    }

    /** Makes all that was written before visible to commands after, which overwrite only what was read. */
    static void barrier(VkCommandBuffer buffer) {
        barrier(buffer, STAGES, READS | WRITES);
    }

    /** Ends a command buffer; the host sees what it wrote once it has run. */
    static void end(VkCommandBuffer buffer) throws ExecutorException {
        barrier(buffer, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
        Outcome.check(vkEndCommandBuffer(buffer), "vkEndCommandBuffer", "commands");
    }

    private static void barrier(VkCommandBuffer buffer, int stages, int access) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var barrier = VkMemoryBarrier.calloc(1, stack);
            barrier.get(0).sType$Default().srcAccessMask(WRITES).dstAccessMask(access);
            vkCmdPipelineBarrier(buffer, STAGES, stages, 0, barrier, null, null);
        }
    }

    /** Runs a command buffer after all that was submitted; the number by which it is waited for. */
    long submit(VkCommandBuffer buffer, String what) throws ExecutorException {
        commands.put(0, buffer);
        signal.put(0, submitted + 1);
        Outcome.check(vkQueueSubmit(device.queue(), submit, VK_NULL_HANDLE), "vkQueueSubmit", what);
        return ++submitted;
    }

    /** Waits for a submission and all before it; nothing runs afterwards, also where it fails. */
    void await(long submission, String what) throws ExecutorException {
        awaited.put(0, submission);
        int result = vkWaitSemaphores(device.handle(), wait, FOREVER);
        if (result < 0) {
            vkDeviceWaitIdle(device.handle()); // The caller gives back what runs; on a lost device, where this fails too, nothing does.
        }
        Outcome.check(result, "vkWaitSemaphores", what);
    }

    /** Gives a command buffer back that does not run. */
    void free(VkCommandBuffer buffer) {
        vkFreeCommandBuffers(device.handle(), pool, buffer);
    }

    /** Releases everything, command buffers too; nothing may run. */
    @Override
    public void close() {
        vkDestroySemaphore(device.handle(), semaphore, null);
        vkDestroyCommandPool(device.handle(), pool, null);
        timeline.free();
        submit.free();
        wait.free();
        MemoryUtil.memFree(commands);
        MemoryUtil.memFree(semaphores);
        MemoryUtil.memFree(signal);
        MemoryUtil.memFree(awaited);
    }
}
