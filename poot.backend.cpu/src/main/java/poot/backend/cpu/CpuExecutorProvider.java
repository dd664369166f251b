package poot.backend.cpu;

import java.util.Optional;
import poot.api.executor.Availability;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.DeviceFailed;
import poot.api.executor.ExecutorException.Unsupported;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.ExecutorProvider;
import poot.api.executor.MemoryLeft;
import poot.backend.cpu.emit.Emitter;
import poot.backend.cpu.kernel.Lanes;
import poot.backend.cpu.memory.Available;
import poot.backend.cpu.work.Processors;

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
        Emitter.Found found = Emitter.probe();
        Optional<MemoryLeft> memory = Available.left();
        return new Availability.Available(
                "CPU with " + Processors.available() + " processors, vectors of " + 32 * Lanes.COUNT + " bits; "
                        + (found.simd().isPresent() ? found.simd().get().title() + " kernels" : "no emitted kernels: " + found.why())
                        + memory.map(m -> ", " + MemoryLeft.readable(m.total())).orElse(""),
                memory.map(MemoryLeft::total).orElse(0L));
    }

    /**
     * Opens the executor; with 0 threads it uses one for each core the process may run on.
     *
     * @throws ExecutorException if more than {@link Processors#mostThreads} are asked for, or the system has no more
     */
    @Override
    public Executor open(ExecutorOptions options) throws ExecutorException {
        int threads = options.threads() > 0 ? options.threads() : Processors.cores();
        if (threads > Processors.mostThreads()) {
            throw new ExecutorException(new Unsupported(name(), threads + " threads", "at most "
                    + Processors.mostThreads() + " help on " + Processors.available() + " processors; ask for fewer, or 0 for one a core"));
        }
        try {
            return new CpuExecutor(threads, options.weights());
        } catch (OutOfMemoryError e) {
            throw new ExecutorException(new DeviceFailed(name(), "the system does not start " + threads + " threads"), e);
        }
    }
}
