package poot.backend.vulkan.device;

import static org.lwjgl.vulkan.VK13.*;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.KHRCooperativeMatrix;
import org.lwjgl.vulkan.KHRShaderBfloat16;
import org.lwjgl.vulkan.VkPhysicalDeviceCooperativeMatrixFeaturesKHR;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;
import org.lwjgl.vulkan.VkPhysicalDeviceShaderBfloat16FeaturesKHR;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan11Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan13Features;

/** Features of Vulkan, as a device has them or as they are switched on: the same names both times. */
enum DeviceFeatures {
    SHADER_INT64, SHADER_FLOAT64, SHADER_INT16, STORAGE_16BIT, STORAGE_8BIT, SHADER_INT8, SHADER_FLOAT16, BUFFER_DEVICE_ADDRESS,
    TIMELINE_SEMAPHORE, MEMORY_MODEL, SUBGROUP_SIZE_CONTROL, FULL_SUBGROUPS, INTEGER_DOT, MAINTENANCE4,
    COOPERATIVE_MATRIX, BFLOAT16_MATRIX;

    /** What kernels and recordings cannot do without. Vulkan 1.3 promises most of them. */
    static final Set<DeviceFeatures> REQUIRED = Set.copyOf(EnumSet.of(SHADER_INT64, SHADER_INT16, STORAGE_16BIT, STORAGE_8BIT,
            SHADER_INT8, BUFFER_DEVICE_ADDRESS, TIMELINE_SEMAPHORE, MEMORY_MODEL, SUBGROUP_SIZE_CONTROL, FULL_SUBGROUPS, MAINTENANCE4));

    /** What a device of version 1.3 has. */
    static Set<DeviceFeatures> of(PhysicalDevice device) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            Chain chain = Chain.of(device, stack);
            vkGetPhysicalDeviceFeatures2(device.handle(), chain.head);
            return chain.read();
        }
    }

    /** The structures that features are read from and switched on with. */
    static final class Chain {
        private final VkPhysicalDeviceFeatures2 head;
        private final VkPhysicalDeviceVulkan11Features v11;
        private final VkPhysicalDeviceVulkan12Features v12;
        private final VkPhysicalDeviceVulkan13Features v13;
        private final VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrix;
        private final VkPhysicalDeviceShaderBfloat16FeaturesKHR brain;
        private final List<String> extensions = new ArrayList<>();

        private Chain(PhysicalDevice device, MemoryStack stack) {
            head = VkPhysicalDeviceFeatures2.calloc(stack).sType$Default();
            v11 = VkPhysicalDeviceVulkan11Features.calloc(stack).sType$Default();
            v12 = VkPhysicalDeviceVulkan12Features.calloc(stack).sType$Default();
            v13 = VkPhysicalDeviceVulkan13Features.calloc(stack).sType$Default();
            matrix = VkPhysicalDeviceCooperativeMatrixFeaturesKHR.calloc(stack).sType$Default();
            brain = VkPhysicalDeviceShaderBfloat16FeaturesKHR.calloc(stack).sType$Default();
            head.pNext(v11).pNext(v12).pNext(v13);
            if (device.extensions().contains(KHRCooperativeMatrix.VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME)) {
                head.pNext(matrix);
                extensions.add(KHRCooperativeMatrix.VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME);
            }
            if (device.extensions().contains(KHRShaderBfloat16.VK_KHR_SHADER_BFLOAT16_EXTENSION_NAME)) {
                head.pNext(brain);
                extensions.add(KHRShaderBfloat16.VK_KHR_SHADER_BFLOAT16_EXTENSION_NAME);
            }
        }

        static Chain of(PhysicalDevice device, MemoryStack stack) {
            return new Chain(device, stack);
        }

        /** The first of the structures. */
        VkPhysicalDeviceFeatures2 head() {
            return head;
        }

        /** The extensions that its structures belong to. */
        List<String> extensions() {
            return extensions;
        }

        private Set<DeviceFeatures> read() {
            EnumSet<DeviceFeatures> out = EnumSet.noneOf(DeviceFeatures.class);
            for (DeviceFeatures f : values()) {
                if (has(f)) {
                    out.add(f);
                }
            }
            return out;
        }

        private boolean has(DeviceFeatures f) {
            return switch (f) {
                case SHADER_INT64 -> head.features().shaderInt64();
                case SHADER_FLOAT64 -> head.features().shaderFloat64();
                case SHADER_INT16 -> head.features().shaderInt16();
                case STORAGE_16BIT -> v11.storageBuffer16BitAccess();
                case STORAGE_8BIT -> v12.storageBuffer8BitAccess();
                case SHADER_INT8 -> v12.shaderInt8();
                case SHADER_FLOAT16 -> v12.shaderFloat16();
                case BUFFER_DEVICE_ADDRESS -> v12.bufferDeviceAddress();
                case TIMELINE_SEMAPHORE -> v12.timelineSemaphore();
                case MEMORY_MODEL -> v12.vulkanMemoryModel();
                case SUBGROUP_SIZE_CONTROL -> v13.subgroupSizeControl();
                case FULL_SUBGROUPS -> v13.computeFullSubgroups();
                case INTEGER_DOT -> v13.shaderIntegerDotProduct();
                case MAINTENANCE4 -> v13.maintenance4();
                case COOPERATIVE_MATRIX -> matrix.cooperativeMatrix();
                case BFLOAT16_MATRIX -> brain.shaderBFloat16CooperativeMatrix() && brain.shaderBFloat16Type();
            };
        }

        /** Switches features on. */
        void enable(Set<DeviceFeatures> features) {
            for (DeviceFeatures f : features) {
                switch (f) {
                    case SHADER_INT64 -> head.features().shaderInt64(true);
                    case SHADER_FLOAT64 -> head.features().shaderFloat64(true);
                    case SHADER_INT16 -> head.features().shaderInt16(true);
                    case STORAGE_16BIT -> v11.storageBuffer16BitAccess(true);
                    case STORAGE_8BIT -> v12.storageBuffer8BitAccess(true);
                    case SHADER_INT8 -> v12.shaderInt8(true);
                    case SHADER_FLOAT16 -> v12.shaderFloat16(true);
                    case BUFFER_DEVICE_ADDRESS -> v12.bufferDeviceAddress(true);
                    case TIMELINE_SEMAPHORE -> v12.timelineSemaphore(true);
                    case MEMORY_MODEL -> v12.vulkanMemoryModel(true);
                    case SUBGROUP_SIZE_CONTROL -> v13.subgroupSizeControl(true);
                    case FULL_SUBGROUPS -> v13.computeFullSubgroups(true);
                    case INTEGER_DOT -> v13.shaderIntegerDotProduct(true);
                    case MAINTENANCE4 -> v13.maintenance4(true);
                    case COOPERATIVE_MATRIX -> matrix.cooperativeMatrix(true);
                    case BFLOAT16_MATRIX -> brain.shaderBFloat16CooperativeMatrix(true).shaderBFloat16Type(true);
                }
            }
        }
    }
}
