package poot.backend.vulkan.device;

import poot.backend.vulkan.spirv.ParameterLayout;
import poot.core.kernel.device.CompiledKernel;
import poot.core.kernel.ir.DeviceKernel;

/**
 * A kernel as a pipeline.
 *
 * @param owner the pipelines it belongs to, which release it
 * @param layout Vulkan's layout of what is pushed
 */
record VulkanKernel(DeviceKernel kernel, Pipelines owner, long pipeline, long layout, ParameterLayout parameters)
        implements CompiledKernel {}
