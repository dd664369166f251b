package poot.backend.vulkan;

import poot.api.executor.Availability;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.NotAvailable;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.ExecutorProvider;
import poot.backend.vulkan.device.VulkanDevices;
import poot.backend.vulkan.device.VulkanOptions;

/** The Vulkan backend; this version reports itself unavailable, since no program runs on its devices yet. */
public final class VulkanExecutorProvider implements ExecutorProvider {
    private static final String REASON = "this version of poot does not run models on Vulkan yet; use the cpu backend";
    /** Above the CPU for a GPU, below it for a processor that plays one. */
    private static final int GPU_PRIORITY = 10;
    private static final int SOFTWARE_PRIORITY = -10;

    @Override
    public String name() {
        return "vulkan";
    }

    @Override
    public int priority() {
        if (!VulkanDevices.mayHaveGpu()) {
            return SOFTWARE_PRIORITY;
        }
        try {
            return VulkanDevices.find(VulkanOptions.fromEnvironment()).software() ? SOFTWARE_PRIORITY : GPU_PRIORITY;
        } catch (ExecutorException _) {
            return SOFTWARE_PRIORITY; // Why, probe() says.
        }
    }

    @Override
    public Availability probe() {
        try {
            return new Availability.Unavailable(VulkanDevices.find(VulkanOptions.fromEnvironment()).description() + " is there, but " + REASON);
        } catch (ExecutorException e) {
            return new Availability.Unavailable(e.fault() instanceof NotAvailable n ? n.reason() : e.getMessage());
        }
    }

    @Override
    public Executor open(ExecutorOptions options) throws ExecutorException {
        throw new ExecutorException(new NotAvailable(name(), REASON));
    }
}
