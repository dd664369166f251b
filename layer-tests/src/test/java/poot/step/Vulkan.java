package poot.step;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.NotAvailable;
import poot.api.executor.Target;
import poot.api.graph.Role;
import poot.api.graph.Weight;
import poot.backend.vulkan.device.VulkanDevice;
import poot.backend.vulkan.device.VulkanOptions;
import poot.core.kernel.execute.DeviceExecutor;

/** A Vulkan device, where a machine has one; what it compiles is kept in this build's folder. */
public final class Vulkan {
    private static final boolean ALL = "all".equals(System.getProperty("poot.vulkan.suites"));

    private static Executor shared;

    private Vulkan() {}

    /** Opens one; where there is none the test is skipped, and the skip says why. */
    public static Executor open() throws ExecutorException {
        return new DeviceExecutor(device());
    }

    /**
     * Whether the process has time for all there is: a processor that plays a device compiles each kernel for long. Said by the
     * property {@code poot.vulkan.suites} being {@code all}.
     */
    public static boolean all() {
        return ALL;
    }

    /** Skips the calling test where the process has no time for it. */
    public static void requireAll() {
        Assumptions.assumeTrue(ALL, "run by `./check modes`");
    }

    /** Opens the device alone. */
    public static VulkanDevice device() throws ExecutorException {
        return open(VulkanOptions.fromEnvironment());
    }

    /** Opens the device alone, under the validation layer. */
    public static VulkanDevice validated() throws ExecutorException {
        VulkanOptions usual = VulkanOptions.fromEnvironment();
        return open(new VulkanOptions(usual.device(), true, usual.staging(), usual.cache(), usual.loader()));
    }

    private static VulkanDevice open(VulkanOptions options) throws ExecutorException {
        try {
            return VulkanDevice.open(options.withCache(Path.of("target/vulkan")));
        } catch (ExecutorException e) {
            if (e.fault() instanceof NotAvailable n) {
                Assumptions.abort("no Vulkan device: " + n.reason());
            }
            throw e;
        }
    }

    /**
     * One that all tests of a process share, with all kernels they compiled: closing it does nothing. It goes with the
     * process.
     */
    public static synchronized Executor shared() throws ExecutorException {
        if (shared == null) {
            shared = open();
        }
        return new Lent(shared);
    }

    private record Lent(Executor of) implements Executor {
        @Override
        public Target target() {
            return of.target();
        }

        @Override
        public Executable load(Map<Role, Weight> weights) throws ExecutorException {
            return of.load(weights);
        }

        @Override
        public void close() {
            // Others use it.
        }
    }
}
