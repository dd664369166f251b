package poot.backend.vulkan.device;

import static org.lwjgl.vulkan.EXTDebugUtils.*;
import static org.lwjgl.vulkan.VK13.*;

import java.util.ArrayList;
import java.util.List;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackDataEXT;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackEXT;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCreateInfoEXT;
import org.lwjgl.vulkan.VkInstance;
import poot.api.executor.ExecutorException;

/** What the validation layer says: counted, and the first of it kept. */
final class Messages implements AutoCloseable {
    /** How many are kept. */
    private static final int KEPT = 100;

    private final List<String> first = new ArrayList<>();
    private final VkDebugUtilsMessengerCallbackEXT callback;
    private long count;
    private VkInstance instance;
    private long messenger;

    Messages() {
        callback = VkDebugUtilsMessengerCallbackEXT.create((severity, type, data, user) -> {
            add(VkDebugUtilsMessengerCallbackDataEXT.create(data).pMessageString());
            return VK_FALSE;
        });
    }

    /** What creates the messenger, and what an instance is given so that its own creation is checked. */
    VkDebugUtilsMessengerCreateInfoEXT createInfo(MemoryStack stack) {
        return VkDebugUtilsMessengerCreateInfoEXT.calloc(stack).sType$Default()
                .messageSeverity(VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT)
                .messageType(VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT)
                .pfnUserCallback(callback);
    }

    /** Listens to an instance. */
    void listen(VkInstance to) throws ExecutorException {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            Outcome.check(vkCreateDebugUtilsMessengerEXT(to, createInfo(stack), null, out), "vkCreateDebugUtilsMessengerEXT", "messages");
            messenger = out.get(0);
            instance = to;
        }
    }

    private synchronized void add(String message) {
        count++;
        if (first.size() < KEPT) {
            first.add(message == null ? "(no text)" : message);
        }
    }

    /** How many came. */
    synchronized long count() {
        return count;
    }

    /** The first of them. */
    synchronized List<String> first() {
        return List.copyOf(first);
    }

    /** Stops listening. */
    void stop() {
        if (messenger != 0) {
            vkDestroyDebugUtilsMessengerEXT(instance, messenger, null);
            messenger = 0;
        }
    }

    /** Stops listening for good, after the instance was destroyed. */
    @Override
    public void close() {
        callback.free();
    }
}
