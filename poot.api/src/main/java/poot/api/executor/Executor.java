package poot.api.executor;

import java.util.Map;
import poot.api.graph.Role;
import poot.api.graph.Weight;

/** An open backend on one device. Safe for use by several threads; each {@link Executable} runs one step at a time. */
public interface Executor extends AutoCloseable {
    /** What this backend runs. */
    Target target();

    /**
     * Makes weights resident, once for all the entries that will read them. The mapped bytes must outlive the
     * executable; a backend that shares the host's memory reads them where {@link ExecutorOptions#weights} says.
     *
     * @throws ExecutorException if a weight's bytes do not hold what it claims, or memory does not suffice
     */
    Executable load(Map<Role, Weight> weights) throws ExecutorException;

    /** Releases the device; every executable must be closed before. */
    @Override
    void close();
}
