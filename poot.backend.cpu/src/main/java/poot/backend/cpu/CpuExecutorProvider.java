package poot.backend.cpu;

import poot.api.executor.Availability;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.ExecutorProvider;
import poot.backend.cpu.kernel.Lanes;

/** The CPU, always available. */
public final class CpuExecutorProvider implements ExecutorProvider {
    @Override
    public String name() {
        return "cpu";
    }

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public Availability probe() {
        return new Availability.Available(
                "CPU with " + Runtime.getRuntime().availableProcessors() + " processors, vectors of " + 32 * Lanes.COUNT + " bits");
    }

    /** Opens the executor; with 0 threads it uses every processor the process may run on. */
    @Override
    public Executor open(ExecutorOptions options) throws ExecutorException {
        int threads = options.threads() > 0 ? options.threads() : Runtime.getRuntime().availableProcessors();
        return new CpuExecutor(threads);
    }
}
