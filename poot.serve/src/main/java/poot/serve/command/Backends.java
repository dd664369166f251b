package poot.serve.command;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import poot.api.executor.Availability;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.NotAvailable;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.ExecutorProvider;

/** The backends on the module path, the best first. */
final class Backends {
    private Backends() {}

    /** Every provider, by falling priority, then name. */
    static List<ExecutorProvider> all() {
        List<ExecutorProvider> found = new ArrayList<>();
        ServiceLoader.load(ExecutorProvider.class).forEach(found::add);
        found.sort(Comparator.comparingInt(ExecutorProvider::priority).reversed().thenComparing(ExecutorProvider::name));
        return found;
    }

    /** Opens the named backend, or the best available one. */
    static Executor open(String name, ExecutorOptions options) throws ExecutorException {
        List<ExecutorProvider> all = all();
        String names = String.join(", ", all.stream().map(ExecutorProvider::name).toList());
        for (ExecutorProvider p : all) {
            if (name != null ? p.name().equals(name) : p.probe() instanceof Availability.Available) {
                return p.open(options);
            }
        }
        String reason = name != null ? "no such backend on the module path; there are: " + names
                : "none of the backends can run here (" + names + "); `poot backends` says why";
        throw new ExecutorException(new NotAvailable(name == null ? "(any)" : name, reason));
    }
}
