package poot.backend.cuda;

import poot.api.executor.Availability;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.ExecutorProvider;

/** The CUDA backend; this version reports itself unavailable, since it has no kernels yet. */
public final class CudaExecutorProvider implements ExecutorProvider {
    private static final String REASON = "this version of poot has no CUDA kernels yet; use the cpu backend";

    @Override
    public String name() {
        return "cuda";
    }

    @Override
    public int priority() {
        return 20;
    }

    @Override
    public Availability probe() {
        return new Availability.Unavailable(REASON);
    }

    @Override
    public Executor open(ExecutorOptions options) throws ExecutorException {
        throw new ExecutorException(new ExecutorException.NotAvailable(name(), REASON));
    }
}
