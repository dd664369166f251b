package poot.backend.vulkan;

import poot.api.executor.Availability;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.NotAvailable;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.ExecutorProvider;
import poot.backend.vulkan.device.VulkanDevice;
import poot.backend.vulkan.device.VulkanDevices;
import poot.backend.vulkan.device.VulkanDevices.Found;
import poot.backend.vulkan.device.VulkanOptions;
import poot.core.kernel.execute.DeviceExecutor;

/** The Vulkan backend: programs on a device that {@link VulkanOptions} name, or the best. */
public final class VulkanExecutorProvider implements ExecutorProvider {
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
        return switch (look()) {
            case Look.Device d -> new Availability.Available(d.found.description(), d.found.memoryBytes());
            case Look.Nothing n -> new Availability.Unavailable(n.why.fault() instanceof NotAvailable a ? a.reason() : n.why.getMessage());
        };
    }

    /** Opens the device; options that only a processor of the host can meet are refused. */
    @Override
    public Executor open(ExecutorOptions options) throws ExecutorException {
        DeviceExecutor.require(name(), options);
        return new DeviceExecutor(VulkanDevice.open(VulkanOptions.fromEnvironment()));
    }
}
