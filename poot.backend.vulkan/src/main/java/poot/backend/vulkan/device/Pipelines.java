package poot.backend.vulkan.device;

import static org.lwjgl.vulkan.VK13.*;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkComputePipelineCreateInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkPipelineCacheCreateInfo;
import org.lwjgl.vulkan.VkPipelineLayoutCreateInfo;
import org.lwjgl.vulkan.VkPipelineShaderStageCreateInfo;
import org.lwjgl.vulkan.VkPipelineShaderStageRequiredSubgroupSizeCreateInfo;
import org.lwjgl.vulkan.VkPushConstantRange;
import org.lwjgl.vulkan.VkShaderModuleCreateInfo;
import poot.api.executor.ExecutorException;
import poot.backend.vulkan.spirv.SpirvCode;
import poot.backend.vulkan.spirv.SpirvEmitter;
import poot.backend.vulkan.spirv.SpirvTarget;
import poot.core.kernel.ir.DeviceKernel;

/** Kernels made into pipelines, each once, with the driver's cache of them kept in a file. */
final class Pipelines implements AutoCloseable {
    private final VkDevice device;
    private SpirvTarget target;
    private final boolean fixedSubgroup;
    private final Optional<PipelineFile> file;
    private final long cache;
    private final long loaded;
    private long kept;
    private boolean grown;
    private final Map<DeviceKernel, VulkanKernel> kernels = new HashMap<>();
    private final Map<Integer, Long> layouts = new HashMap<>();

    private Pipelines(VkDevice device, SpirvTarget target, boolean fixedSubgroup, Optional<PipelineFile> file, long cache, long loaded) {
        this.device = device;
        this.target = target;
        this.fixedSubgroup = fixedSubgroup;
        this.file = file;
        this.cache = cache;
        this.loaded = loaded;
        this.kept = loaded;
    }

    /**
     * No pipelines yet.
     *
     * @param fixedSubgroup the size of a subgroup cannot be asked for
     * @param file where the driver's cache is kept
     */
    static Pipelines open(VkDevice device, SpirvTarget target, boolean fixedSubgroup, Optional<PipelineFile> file) throws ExecutorException {
        Optional<ByteBuffer> kept = file.flatMap(PipelineFile::read);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var info = VkPipelineCacheCreateInfo.calloc(stack).sType$Default();
            kept.ifPresent(info::pInitialData);
            LongBuffer out = stack.mallocLong(1);
            Outcome.check(vkCreatePipelineCache(device, info, null, out), "vkCreatePipelineCache", "pipelines");
            return new Pipelines(device, target, fixedSubgroup, file, out.get(0), kept.map(ByteBuffer::remaining).orElse(0));
        } finally {
            kept.ifPresent(MemoryUtil::memFree);
        }
    }

    /** Makes kernels for another target from now on; those made before are released, and none may be in use. */
    void retarget(SpirvTarget to) {
        kernels.values().forEach(k -> vkDestroyPipeline(device, k.pipeline(), null));
        kernels.clear();
        target = to;
    }

    /** Bytes of the driver's cache that were found. */
    long loaded() {
        return loaded;
    }

    VulkanKernel compile(DeviceKernel kernel) throws ExecutorException {
        VulkanKernel known = kernels.get(kernel);
        if (known != null) {
            return known;
        }
        SpirvCode code = SpirvEmitter.emit(kernel, target);
        long layout = layout(code.parameters().pushedBytes());
        VulkanKernel made = new VulkanKernel(kernel, this, pipeline(kernel, code, layout), layout, code.parameters());
        kernels.put(kernel, made);
        grown = true;
        return made;
    }

    private long layout(int pushedBytes) throws ExecutorException {
        Long known = layouts.get(pushedBytes);
        if (known != null) {
            return known;
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var info = VkPipelineLayoutCreateInfo.calloc(stack).sType$Default();
            if (pushedBytes > 0) {
                var range = VkPushConstantRange.calloc(1, stack);
                range.get(0).stageFlags(VK_SHADER_STAGE_COMPUTE_BIT).size(pushedBytes);
                info.pPushConstantRanges(range);
            }
            LongBuffer out = stack.mallocLong(1);
            Outcome.check(vkCreatePipelineLayout(device, info, null, out), "vkCreatePipelineLayout", "kernels");
            layouts.put(pushedBytes, out.get(0));
            return out.get(0);
        }
    }

    private long pipeline(DeviceKernel kernel, SpirvCode code, long layout) throws ExecutorException {
        String what = "kernel " + kernel.name();
        long module = module(code, what);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var infos = VkComputePipelineCreateInfo.calloc(1, stack);
            VkPipelineShaderStageCreateInfo stage = infos.get(0).sType$Default().layout(layout).stage();
            stage.sType$Default().stage(VK_SHADER_STAGE_COMPUTE_BIT).module(module).pName(stack.UTF8(SpirvCode.ENTRY_POINT));
            if (code.subgroups()) {
                stage.flags(VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT);
                if (!fixedSubgroup) {
                    stage.pNext(VkPipelineShaderStageRequiredSubgroupSizeCreateInfo.calloc(stack).sType$Default()
                            .requiredSubgroupSize(kernel.subgroup()));
                }
            }
            LongBuffer out = stack.mallocLong(1);
            Outcome.check(vkCreateComputePipelines(device, cache, infos, null, out), "vkCreateComputePipelines", what);
            return out.get(0);
        } finally {
            vkDestroyShaderModule(device, module, null);
        }
    }

    private long module(SpirvCode code, String what) throws ExecutorException {
        IntBuffer words = MemoryUtil.memAllocInt(code.words().length);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            words.put(code.words()).flip();
            var info = VkShaderModuleCreateInfo.calloc(stack).sType$Default().pCode(MemoryUtil.memByteBuffer(words));
            LongBuffer out = stack.mallocLong(1);
            Outcome.check(vkCreateShaderModule(device, info, null, out), "vkCreateShaderModule", what);
            return out.get(0);
        } finally {
            MemoryUtil.memFree(words);
        }
    }

    /** Writes the driver's cache to its file if anything was compiled that the file has not; one that grew too large is begun anew. */
    void keep() {
        if (file.isEmpty() || !grown) {
            return;
        }
        grown = false;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var size = stack.mallocPointer(1);
            if (vkGetPipelineCacheData(device, cache, size, null) != VK_SUCCESS || size.get(0) <= kept) {
                return;
            }
            kept = size.get(0);
            if (kept > PipelineFile.LARGEST) {
                file.get().forget();
                return;
            }
            ByteBuffer data = MemoryUtil.memAlloc((int) size.get(0));
            try {
                if (vkGetPipelineCacheData(device, cache, size, data) == VK_SUCCESS) {
                    byte[] body = new byte[(int) size.get(0)];
                    data.get(0, body);
                    file.get().write(body);
                }
            } finally {
                MemoryUtil.memFree(data);
            }
        }
    }

    /** Releases every pipeline; none may run. */
    @Override
    public void close() {
        keep();
        kernels.values().forEach(k -> vkDestroyPipeline(device, k.pipeline(), null));
        kernels.clear();
        layouts.values().forEach(l -> vkDestroyPipelineLayout(device, l, null));
        layouts.clear();
        vkDestroyPipelineCache(device, cache, null);
    }
}
