package poot.core.driver;

import poot.api.executor.Availability;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.ExecutorProvider;

/**
 * A provider of anybody's, held to its promise that looking throws nothing: one that throws is unavailable, and other
 * backends are found. What opening it throws is its caller's to see.
 */
record GuardedProvider(ExecutorProvider provider) implements ExecutorProvider {
    @Override
    public String name() {
        return provider.name();
    }

    @Override
    public int priority() {
        return provider.priority();
    }

    /** Also where a class is missing that the provider needs. */
    @Override
    public Availability probe() {
        try {
            return provider.probe();
        } catch (RuntimeException | LinkageError e) {
            return new Availability.Unavailable("looking for its device failed in " + provider.getClass().getName() + ": " + e);
        }
    }

    @Override
    public Executor open(ExecutorOptions options) throws ExecutorException {
        return provider.open(options);
    }
}
