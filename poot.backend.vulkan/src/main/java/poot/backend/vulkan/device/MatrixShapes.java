package poot.backend.vulkan.device;

import static org.lwjgl.vulkan.KHRCooperativeMatrix.*;
import static org.lwjgl.vulkan.KHRShaderBfloat16.VK_COMPONENT_TYPE_BFLOAT16_KHR;

import java.nio.IntBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkCooperativeMatrixPropertiesKHR;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.DeviceFailed;
import poot.core.kernel.ir.Capability;
import poot.core.kernel.ir.Fragment;

/** Which products of fragments a device has: those of 16 x 16 x 16 over a subgroup count. */
final class MatrixShapes {
    private MatrixShapes() {}

    static Set<Capability> of(PhysicalDevice device, Set<DeviceFeatures> features) throws ExecutorException {
        if (device.handle().getCapabilities().vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR == MemoryUtil.NULL) {
            // LWJGL asks for the extensions of all devices when an instance is made, and goes on without where that fails.
            throw new ExecutorException(new DeviceFailed(Outcome.BACKEND, "the extensions of " + device.name() + " were not found: open it again"));
        }
        EnumSet<Capability> out = EnumSet.noneOf(Capability.class);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            IntBuffer count = stack.mallocInt(1);
            Outcome.check(vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR(device.handle(), count, null),
                    "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR", device.name());
            try (var all = VkCooperativeMatrixPropertiesKHR.calloc(count.get(0))) {
                all.forEach(VkCooperativeMatrixPropertiesKHR::sType$Default);
                Outcome.check(vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR(device.handle(), count, all),
                        "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR", device.name());
                for (VkCooperativeMatrixPropertiesKHR p : all) {
                    if (multiplies(p, VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR)
                            && features.contains(DeviceFeatures.SHADER_FLOAT16)) {
                        out.add(Capability.MATRIX_F16);
                    }
                    if (multiplies(p, VK_COMPONENT_TYPE_BFLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR)
                            && features.contains(DeviceFeatures.BFLOAT16_MATRIX)) {
                        out.add(Capability.MATRIX_BF16);
                    }
                    if (multiplies(p, VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_SINT32_KHR)) {
                        out.add(Capability.MATRIX_I8);
                    }
                }
            }
        }
        return out;
    }

    private static boolean multiplies(VkCooperativeMatrixPropertiesKHR p, int factor, int sum) {
        return p.MSize() == Fragment.SIZE && p.NSize() == Fragment.SIZE && p.KSize() == Fragment.SIZE
                && p.AType() == factor && p.BType() == factor && p.CType() == sum && p.ResultType() == sum
                && !p.saturatingAccumulation() && p.scope() == VK_SCOPE_SUBGROUP_KHR;
    }
}
