package poot.oracleexec;

import poot.api.executor.Availability;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.ExecutorProvider;

/** Provides the toy backend. */
public final class OracleProvider implements ExecutorProvider {
    @Override
    public String name() {
        return OracleTarget.NAME;
    }

    @Override
    public int priority() {
        return -1;
    }

    @Override
    public Availability probe() {
        return new Availability.Available("the oracle");
    }

    @Override
    public Executor open(ExecutorOptions options) {
        return new OracleExecutor();
    }
}
