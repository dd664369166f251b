package poot.backend.vulkan.device;

import static org.lwjgl.vulkan.VK13.*;

import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.DeviceFailed;
import poot.api.executor.ExecutorException.ExecutorFault;
import poot.api.executor.ExecutorException.OutOfMemory;

/** What Vulkan's result codes mean to a caller. */
final class Outcome {
    /** The backend's name in messages. */
    static final String BACKEND = "vulkan";

    private Outcome() {}

    /** Throws if {@code result} is an error; {@code call} and {@code what} say what was done and for whom. */
    static void check(int result, String call, String what) throws ExecutorException {
        check(result, call, what, 0);
    }

    /** As above, where {@code bytes} of memory were asked for. */
    static void check(int result, String call, String what, long bytes) throws ExecutorException {
        if (result < 0) {
            throw new ExecutorException(fault(result, call, what, bytes));
        }
    }

    /** The facts of an error. */
    static ExecutorFault fault(int result, String call, String what, long bytes) {
        return switch (result) {
            case VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_POOL_MEMORY, VK_ERROR_FRAGMENTATION ->
                new OutOfMemory(what + " on the Vulkan device", bytes);
            case VK_ERROR_OUT_OF_HOST_MEMORY -> new OutOfMemory(what + " of the Vulkan driver on the host", bytes);
            case VK_ERROR_TOO_MANY_OBJECTS -> new OutOfMemory(what + ", one more allocation than the Vulkan device allows,", bytes);
            default -> new DeviceFailed(BACKEND, call + " for " + what + ": " + name(result));
        };
    }

    private static String name(int result) {
        return switch (result) {
            case VK_ERROR_DEVICE_LOST -> "the device was lost (VK_ERROR_DEVICE_LOST): its driver reset it; close it and open it again";
            case VK_ERROR_INITIALIZATION_FAILED -> "VK_ERROR_INITIALIZATION_FAILED";
            case VK_ERROR_MEMORY_MAP_FAILED -> "VK_ERROR_MEMORY_MAP_FAILED";
            case VK_ERROR_LAYER_NOT_PRESENT -> "VK_ERROR_LAYER_NOT_PRESENT";
            case VK_ERROR_EXTENSION_NOT_PRESENT -> "VK_ERROR_EXTENSION_NOT_PRESENT";
            case VK_ERROR_FEATURE_NOT_PRESENT -> "VK_ERROR_FEATURE_NOT_PRESENT";
            case VK_ERROR_INCOMPATIBLE_DRIVER -> "no driver that fits is installed (VK_ERROR_INCOMPATIBLE_DRIVER)";
            default -> "error " + result;
        };
    }
}
