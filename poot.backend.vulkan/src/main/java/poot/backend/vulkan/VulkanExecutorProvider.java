package poot.backend.vulkan;

import poot.api.executor.Availability;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.NotAvailable;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.ExecutorProvider;
import poot.backend.vulkan.device.VulkanDevices;
import poot.backend.vulkan.device.VulkanDevices.Found;
import poot.backend.vulkan.device.VulkanOptions;

/** The Vulkan backend; this version reports itself unavailable, since no program runs on its devices yet. */
public final class VulkanExecutorProvider implements ExecutorProvider {
    private static final String REASON = "this version of poot does not run models on Vulkan yet; use the cpu backend";
    /** Above the CPU for a GPU, below it for a processor that plays one. */
    private static final int GPU_PRIORITY = 10;
    private static final int SOFTWARE_PRIORITY = -10;

    private Look look;

    /** What was found, once: looking loads every driver. */
    private sealed interface Look {
        record Device(Found found) implements Look {}

        record Nothing(ExecutorException why) implements Look {}
    }

    private synchronized Look look() {
        if (look == null) {
            try {
                look = new Look.Device(VulkanDevices.find(VulkanOptions.fromEnvironment()));
            } catch (ExecutorException e) {
                look = new Look.Nothing(e);
            }
        }
        return look;
    }

    @Override
    public String name() {
        return "vulkan";
    }

    @Override
    public int priority() {
        boolean gpu = VulkanDevices.mayHaveGpu() && look() instanceof Look.Device d && !d.found.software();
        return gpu ? GPU_PRIORITY : SOFTWARE_PRIORITY;
    }

    @Override
    public Availability probe() {
        return new Availability.Unavailable(switch (look()) {
            case Look.Device d -> d.found.description() + " is there, but " + REASON;
            case Look.Nothing n -> n.why.fault() instanceof NotAvailable a ? a.reason() : n.why.getMessage();
        });
    }

    @Override
    public Executor open(ExecutorOptions options) throws ExecutorException {
        throw new ExecutorException(new NotAvailable(name(), REASON));
    }
}
