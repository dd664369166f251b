package poot.core.driver;

import poot.api.executor.Availability;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.NotAvailable;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.ExecutorProvider;

/**
 * Stands for a provider whose construction failed, so that one bad jar hides no other backend.
 *
 * @param name   the class of the provider
 * @param origin that, and where it lies
 * @param reason what its construction threw
 */
record BrokenProvider(String name, String origin, String reason) implements ExecutorProvider {
    @Override
    public int priority() {
        return Integer.MIN_VALUE;
    }

    @Override
    public Availability probe() {
        return new Availability.Unavailable(why());
    }

    @Override
    public Executor open(ExecutorOptions options) throws ExecutorException {
        throw new ExecutorException(new NotAvailable(name, why()));
    }

    private String why() {
        return "its provider could not be made, " + origin + ": " + reason;
    }
}
