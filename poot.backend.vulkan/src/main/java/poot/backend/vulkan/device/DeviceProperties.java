package poot.backend.vulkan.device;

import static org.lwjgl.vulkan.VK13.*;

import java.util.EnumSet;
import java.util.Set;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.AMDShaderCoreProperties;
import org.lwjgl.vulkan.EXTMemoryBudget;
import org.lwjgl.vulkan.NVShaderSmBuiltins;
import org.lwjgl.vulkan.VkMemoryHeap;
import org.lwjgl.vulkan.VkPhysicalDeviceLimits;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryBudgetPropertiesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties2;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties2;
import org.lwjgl.vulkan.VkPhysicalDeviceShaderCorePropertiesAMD;
import org.lwjgl.vulkan.VkPhysicalDeviceShaderSMBuiltinsPropertiesNV;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan11Properties;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Properties;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan13Properties;
import poot.api.executor.ExecutorException;
import poot.backend.vulkan.spirv.SpirvTarget;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.ir.Capability;

/**
 * What a device of version 1.3 is like.
 *
 * @param target what decides its kernels' instructions
 * @param maxAllocations pieces of memory that may be allocated at a time
 * @param fixedSubgroup the size of a subgroup cannot be asked for: there is only one
 */
record DeviceProperties(DeviceLimits limits, SpirvTarget target, long maxAllocations, boolean fixedSubgroup) {
    /** What is assumed to run at the same time where a driver does not say. */
    private static final int USUAL_UNITS = 16;
    /** Operations between lanes that kernels may use. */
    private static final int LANE_OPERATIONS = VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT
            | VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT;

    static DeviceProperties of(PhysicalDevice device, Set<DeviceFeatures> features) throws ExecutorException {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var head = VkPhysicalDeviceProperties2.calloc(stack).sType$Default();
            var v11 = VkPhysicalDeviceVulkan11Properties.calloc(stack).sType$Default();
            var v12 = VkPhysicalDeviceVulkan12Properties.calloc(stack).sType$Default();
            var v13 = VkPhysicalDeviceVulkan13Properties.calloc(stack).sType$Default();
            head.pNext(v11).pNext(v12).pNext(v13);
            vkGetPhysicalDeviceProperties2(device.handle(), head);
            VkPhysicalDeviceLimits limits = head.properties().limits();
            boolean fixed = (v13.requiredSubgroupSizeStages() & VK_SHADER_STAGE_COMPUTE_BIT) == 0;
            int least = fixed ? v11.subgroupSize() : v13.minSubgroupSize();
            int most = fixed ? v11.subgroupSize() : v13.maxSubgroupSize();
            int workgroup = (int) Math.min(Math.min(unsigned(limits.maxComputeWorkGroupInvocations()),
                    unsigned(limits.maxComputeWorkGroupSize(0))), unsigned(v13.maxComputeWorkgroupSubgroups()) * least);
            var found = new DeviceLimits(Outcome.BACKEND, device.name(), least, most, Math.clamp(v11.subgroupSize(), least, most), workgroup,
                    clamp(limits.maxComputeWorkGroupCount(0)),
                    Math.min(clamp(limits.maxComputeWorkGroupCount(1)), clamp(limits.maxComputeWorkGroupCount(2))),
                    clamp(limits.maxComputeSharedMemorySize()), memory(device, stack),
                    Math.min(positive(v11.maxMemoryAllocationSize()), positive(v13.maxBufferSize())), units(device, stack),
                    device.kind().isUnified(), capabilities(device, features, v13));
            var target = new SpirvTarget(exactHalves(v12), v12.shaderSignedZeroInfNanPreserveFloat32(),
                    features.contains(DeviceFeatures.INTEGER_DOT), false, clamp(limits.maxPushConstantsSize()));
            return new DeviceProperties(found, target, unsigned(limits.maxMemoryAllocationCount()), fixed);
        }
    }

    /** Whether lanes of a subgroup can be joined in every way that kernels use. */
    static boolean joinsLanes(PhysicalDevice device) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var head = VkPhysicalDeviceProperties2.calloc(stack).sType$Default();
            var v11 = VkPhysicalDeviceVulkan11Properties.calloc(stack).sType$Default();
            vkGetPhysicalDeviceProperties2(device.handle(), head.pNext(v11));
            return (v11.subgroupSupportedOperations() & LANE_OPERATIONS) == LANE_OPERATIONS
                    && (v11.subgroupSupportedStages() & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
        }
    }

    private static boolean exactHalves(VkPhysicalDeviceVulkan12Properties v12) {
        return v12.shaderDenormPreserveFloat16() && v12.shaderRoundingModeRTEFloat16()
                && v12.denormBehaviorIndependence() != VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE
                && v12.roundingModeIndependence() != VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
    }

    /** The largest memory of the device, less what others hold of it where the driver says so. */
    private static long memory(PhysicalDevice device, MemoryStack stack) {
        var all = VkPhysicalDeviceMemoryProperties2.calloc(stack).sType$Default();
        var budget = VkPhysicalDeviceMemoryBudgetPropertiesEXT.calloc(stack).sType$Default();
        boolean budgeted = device.extensions().contains(EXTMemoryBudget.VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
        if (budgeted) {
            all.pNext(budget);
        }
        vkGetPhysicalDeviceMemoryProperties2(device.handle(), all);
        long most = 0;
        for (int i = 0; i < all.memoryProperties().memoryHeapCount(); i++) {
            VkMemoryHeap heap = all.memoryProperties().memoryHeaps(i);
            if ((heap.flags() & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0) {
                most = Math.max(most, budgeted ? Math.min(heap.size(), budget.heapBudget(i)) : heap.size());
            }
        }
        return most;
    }

    private static int units(PhysicalDevice device, MemoryStack stack) {
        if (device.kind() == PhysicalDevice.Kind.CPU) {
            return Runtime.getRuntime().availableProcessors();
        }
        var head = VkPhysicalDeviceProperties2.calloc(stack).sType$Default();
        if (device.extensions().contains(NVShaderSmBuiltins.VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME)) {
            var nvidia = VkPhysicalDeviceShaderSMBuiltinsPropertiesNV.calloc(stack).sType$Default();
            vkGetPhysicalDeviceProperties2(device.handle(), head.pNext(nvidia));
            return Math.max(1, nvidia.shaderSMCount());
        }
        if (device.extensions().contains(AMDShaderCoreProperties.VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME)) {
            var amd = VkPhysicalDeviceShaderCorePropertiesAMD.calloc(stack).sType$Default();
            vkGetPhysicalDeviceProperties2(device.handle(), head.pNext(amd));
            return Math.max(1, amd.shaderEngineCount() * amd.shaderArraysPerEngineCount() * amd.computeUnitsPerShaderArray());
        }
        return USUAL_UNITS;
    }

    private static Set<Capability> capabilities(PhysicalDevice device, Set<DeviceFeatures> features,
            VkPhysicalDeviceVulkan13Properties v13) throws ExecutorException {
        EnumSet<Capability> out = EnumSet.noneOf(Capability.class);
        if (features.contains(DeviceFeatures.INTEGER_DOT) && v13.integerDotProduct4x8BitPackedSignedAccelerated()) {
            out.add(Capability.INTEGER_DOT);
        }
        if (features.contains(DeviceFeatures.COOPERATIVE_MATRIX)) {
            out.addAll(MatrixShapes.of(device, features));
        }
        return out;
    }

    private static long unsigned(int value) {
        return Integer.toUnsignedLong(value);
    }

    private static int clamp(int unsigned) {
        return unsigned < 0 ? Integer.MAX_VALUE : unsigned;
    }

    private static long positive(long unsigned) {
        return unsigned <= 0 ? Long.MAX_VALUE : unsigned;
    }
}
