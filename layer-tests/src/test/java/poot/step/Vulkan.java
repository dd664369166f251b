package poot.step;

import java.util.ServiceLoader;
import org.junit.jupiter.api.Assumptions;
import poot.api.executor.Availability;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.ExecutorProvider;

/** A Vulkan device, where a machine has one. */
public final class Vulkan {
    private Vulkan() {}

    /** Opens it; where there is none the test is skipped, and the skip says why. */
    public static Executor open() throws ExecutorException {
        ExecutorProvider provider = ServiceLoader.load(ExecutorProvider.class).stream().map(ServiceLoader.Provider::get)
                .filter(p -> p.name().equals("vulkan")).findFirst().orElseThrow();
        if (provider.probe() instanceof Availability.Unavailable u) {
            Assumptions.abort("no Vulkan device: " + u.reason());
        }
        return provider.open(ExecutorOptions.DEFAULT);
    }
}
