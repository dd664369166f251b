package poot.backend.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.NotAvailable;
import poot.backend.vulkan.spirv.SpirvTarget;

/** A device for a test, under the validation layer where that is installed. */
final class Opened {
    private Opened() {}

    /** What tests open: the device the environment names, or the best. */
    static VulkanOptions options(boolean validation, boolean staging) {
        return new VulkanOptions(Optional.ofNullable(System.getProperty(VulkanOptions.DEVICE)), validation, staging, Optional.empty(),
                Optional.empty());
    }

    static VulkanDevice device() throws ExecutorException {
        return device(options(true, false), UnaryOperator.identity());
    }

    /** A device, or a skip that says why there is none. */
    static VulkanDevice device(VulkanOptions options, UnaryOperator<SpirvTarget> change) throws ExecutorException {
        try {
            return VulkanDevice.open(options, change);
        } catch (ExecutorException e) {
            if (e.fault() instanceof NotAvailable) {
                Assumptions.abort("no Vulkan device " + (options.validation() ? "under the validation layer: " : ": ") + e.getMessage());
            }
            throw e;
        }
    }

    /** Closes a device of which the validation layer must have said nothing. */
    static void close(VulkanDevice device) {
        List<String> messages;
        long count;
        try {
            messages = device.messages();
            count = device.messageCount();
        } finally {
            device.close();
        }
        assertEquals(0, count, () -> String.join("\n", messages));
    }
}
