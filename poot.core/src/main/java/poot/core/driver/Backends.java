package poot.core.driver;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import poot.api.executor.Availability;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.NotAvailable;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.ExecutorProvider;

/** The backends on the module path. */
public final class Backends {
    private Backends() {}

    /** Every provider, by falling priority, then name; one that cannot be made is among them, unavailable with its reason. */
    public static List<ExecutorProvider> all() {
        List<ExecutorProvider> found = new ArrayList<>();
        ServiceLoader.load(ExecutorProvider.class).stream().map(Backends::make).forEach(found::add);
        found.sort(Comparator.comparingInt(ExecutorProvider::priority).reversed().thenComparing(ExecutorProvider::name));
        return found;
    }

    /** The provider, guarded, or one that says why it could not be made. */
    static ExecutorProvider make(ServiceLoader.Provider<ExecutorProvider> provider) {
        try {
            return GuardedProvider.of(provider.get());
        } catch (ServiceConfigurationError e) {
            return new BrokenProvider(provider.type().getName(), GuardedProvider.origin(provider.type()),
                    e.getCause() == null ? e.getMessage() : e.getCause().toString());
        }
    }

    /**
     * Opens the first backend of {@link #all} that can run here.
     *
     * @throws ExecutorException with {@link NotAvailable} giving the reason of each if none can, or if the options
     *     cannot be met
     */
    public static Executor best(ExecutorOptions options) throws ExecutorException {
        List<String> reasons = new ArrayList<>();
        for (ExecutorProvider p : all()) {
            switch (p.probe()) {
                case Availability.Available _ -> {
                    return p.open(options);
                }
                case Availability.Unavailable u -> reasons.add(p.name() + ": " + u.reason());
            }
        }
        String why = reasons.isEmpty() ? "no backend is on the module path or class path" : "none can run here; " + String.join("; ", reasons);
        throw new ExecutorException(new NotAvailable("(any)", why));
    }

    /**
     * Opens the backend of a name.
     *
     * @throws ExecutorException with {@link NotAvailable} if there is none of that name or it cannot run here, or if
     *     the options cannot be met
     */
    public static Executor open(String name, ExecutorOptions options) throws ExecutorException {
        List<ExecutorProvider> all = all();
        for (ExecutorProvider p : all) {
            if (p.name().equals(name)) {
                return p.open(options);
            }
        }
        String names = String.join(", ", all.stream().map(ExecutorProvider::name).toList());
        throw new ExecutorException(new NotAvailable(name, "no such backend; there are: " + names));
    }
}
