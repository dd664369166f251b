package poot.backend.vulkan.device;

import static org.lwjgl.vulkan.VK13.*;

import java.nio.IntBuffer;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkExtensionProperties;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties;
import poot.api.executor.ExecutorException;

/**
 * A device a driver offers, not yet opened.
 *
 * @param index its place in the loader's list
 * @param name as its driver calls it
 * @param version of Vulkan it implements, as Vulkan packs it
 * @param extensions it has
 * @param identity vendor, device and driver, and what its pipeline caches are marked with: the same for the same pipelines
 */
record PhysicalDevice(int index, VkPhysicalDevice handle, String name, Kind kind, int version, Set<String> extensions,
        String identity) {
    /** What it is made of, best first. */
    enum Kind {
        DISCRETE, INTEGRATED, VIRTUAL, OTHER, CPU;

        /** Whether it shares the host's memory. */
        boolean isUnified() {
            return this == INTEGRATED || this == CPU;
        }

        private static Kind of(int type) {
            return switch (type) {
                case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU -> DISCRETE;
                case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU -> INTEGRATED;
                case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU -> VIRTUAL;
                case VK_PHYSICAL_DEVICE_TYPE_CPU -> CPU;
                default -> OTHER;
            };
        }
    }

    PhysicalDevice {
        extensions = Set.copyOf(extensions);
    }

    static PhysicalDevice of(int index, VkPhysicalDevice handle) throws ExecutorException {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var p = VkPhysicalDeviceProperties.calloc(stack);
            vkGetPhysicalDeviceProperties(handle, p);
            byte[] uuid = new byte[VK_UUID_SIZE];
            p.pipelineCacheUUID().get(uuid);
            String identity = "%08x-%08x-%08x-%s".formatted(p.vendorID(), p.deviceID(), p.driverVersion(), HexFormat.of().formatHex(uuid));
            return new PhysicalDevice(index, handle, p.deviceNameString(), Kind.of(p.deviceType()), p.apiVersion(),
                    extensions(handle), identity);
        }
    }

    private static Set<String> extensions(VkPhysicalDevice handle) throws ExecutorException {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            IntBuffer count = stack.mallocInt(1);
            Outcome.check(vkEnumerateDeviceExtensionProperties(handle, (String) null, count, null), "vkEnumerateDeviceExtensionProperties",
                    "extensions");
            try (var all = VkExtensionProperties.malloc(count.get(0))) {
                Outcome.check(vkEnumerateDeviceExtensionProperties(handle, (String) null, count, all),
                        "vkEnumerateDeviceExtensionProperties", "extensions");
                Set<String> names = new HashSet<>();
                all.forEach(e -> names.add(e.extensionNameString()));
                return names;
            }
        }
    }

    /** The version in words. */
    String versionName() {
        return VK_API_VERSION_MAJOR(version) + "." + VK_API_VERSION_MINOR(version);
    }
}
