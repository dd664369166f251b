package poot.backend.vulkan.device;

import static org.lwjgl.vulkan.VK13.*;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.EXTDebugUtils;
import org.lwjgl.vulkan.VK;
import org.lwjgl.vulkan.VkApplicationInfo;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkInstanceCreateInfo;
import org.lwjgl.vulkan.VkLayerProperties;
import org.lwjgl.vulkan.VkPhysicalDevice;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.NotAvailable;

/** A connection to Vulkan's drivers. */
final class VulkanInstance implements AutoCloseable {
    private static final String VALIDATION_LAYER = "VK_LAYER_KHRONOS_validation";

    private final VkInstance handle;
    private final Optional<Messages> messages;

    private VulkanInstance(VkInstance handle, Optional<Messages> messages) {
        this.handle = handle;
        this.messages = messages;
    }

    /**
     * Connects.
     *
     * @throws ExecutorException NotAvailable where there is no loader or driver, or no validation layer where it is asked for
     */
    static VulkanInstance open(VulkanOptions options) throws ExecutorException {
        Optional<String> missing = VulkanLoader.load(options.loader());
        if (missing.isPresent()) {
            throw unavailable(missing.get());
        }
        if (VK.getInstanceVersionSupported() < VK_API_VERSION_1_1) {
            throw unavailable("the Vulkan loader is of version 1.0; install one of 1.1 or newer");
        }
        Optional<Messages> messages = Optional.empty();
        if (options.validation()) {
            requireValidation();
            messages = Optional.of(new Messages());
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkInstance handle = create(messages, stack);
            VulkanInstance made = new VulkanInstance(handle, messages);
            try {
                made.listen();
                return made;
            } catch (ExecutorException e) {
                made.close();
                throw e;
            }
        }
    }

    private void listen() throws ExecutorException {
        if (messages.isPresent()) {
            messages.get().listen(handle);
        }
    }

    private static VkInstance create(Optional<Messages> messages, MemoryStack stack) throws ExecutorException {
        var application = VkApplicationInfo.calloc(stack).sType$Default().pApplicationName(stack.UTF8("poot"))
                .pEngineName(stack.UTF8("poot")).apiVersion(VK_API_VERSION_1_3);
        var info = VkInstanceCreateInfo.calloc(stack).sType$Default().pApplicationInfo(application);
        if (messages.isPresent()) {
            info.ppEnabledLayerNames(stack.pointers(stack.UTF8(VALIDATION_LAYER)));
            info.ppEnabledExtensionNames(stack.pointers(stack.UTF8(EXTDebugUtils.VK_EXT_DEBUG_UTILS_EXTENSION_NAME)));
            info.pNext(messages.get().createInfo(stack));
        }
        PointerBuffer out = stack.mallocPointer(1);
        int result = vkCreateInstance(info, null, out);
        if (result != VK_SUCCESS) {
            messages.ifPresent(Messages::close);
            throw unavailable(result == VK_ERROR_INCOMPATIBLE_DRIVER
                    ? "the Vulkan loader finds no driver; install the one of your GPU"
                    : "no Vulkan instance: " + Outcome.fault(result, "vkCreateInstance", "poot", 0).message());
        }
        return new VkInstance(out.get(0), info);
    }

    private static void requireValidation() throws ExecutorException {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            IntBuffer count = stack.mallocInt(1);
            Outcome.check(vkEnumerateInstanceLayerProperties(count, null), "vkEnumerateInstanceLayerProperties", "layers");
            try (var layers = VkLayerProperties.malloc(count.get(0))) {
                Outcome.check(vkEnumerateInstanceLayerProperties(count, layers), "vkEnumerateInstanceLayerProperties", "layers");
                if (layers.stream().noneMatch(l -> l.layerNameString().equals(VALIDATION_LAYER))) {
                    throw unavailable("the layer " + VALIDATION_LAYER + " is not installed; install Vulkan's validation layers, or unset "
                            + VulkanOptions.VALIDATION);
                }
            }
        }
    }

    /** Every device, in the loader's order. */
    List<PhysicalDevice> devices() throws ExecutorException {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            IntBuffer count = stack.mallocInt(1);
            Outcome.check(vkEnumeratePhysicalDevices(handle, count, null), "vkEnumeratePhysicalDevices", "devices");
            PointerBuffer all = stack.mallocPointer(count.get(0));
            Outcome.check(vkEnumeratePhysicalDevices(handle, count, all), "vkEnumeratePhysicalDevices", "devices");
            List<PhysicalDevice> out = new ArrayList<>();
            for (int i = 0; i < count.get(0); i++) {
                out.add(PhysicalDevice.of(i, new VkPhysicalDevice(all.get(i), handle)));
            }
            return out;
        }
    }

    /** What the validation layer said; empty where it is off. */
    Optional<Messages> messages() {
        return messages;
    }

    private static ExecutorException unavailable(String reason) {
        return new ExecutorException(new NotAvailable(Outcome.BACKEND, reason));
    }

    @Override
    public void close() {
        messages.ifPresent(Messages::stop);
        vkDestroyInstance(handle, null);
        messages.ifPresent(Messages::close);
    }
}
