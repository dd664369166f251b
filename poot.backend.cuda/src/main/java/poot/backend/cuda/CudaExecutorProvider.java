package poot.backend.cuda;

import java.util.Optional;
import poot.api.executor.Availability;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.ExecutorProvider;
import poot.backend.cuda.device.CudaDevices;

/** The CUDA backend: NVIDIA's devices, through their driver alone. */
public final class CudaExecutorProvider implements ExecutorProvider {
    private static final String UNFINISHED = "this version of poot runs no programs on it yet; use the cpu backend";

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
        Optional<String> why = CudaDevices.unavailable();
        return new Availability.Unavailable(why.orElse(UNFINISHED));
    }

    @Override
    public Executor open(ExecutorOptions options) throws ExecutorException {
        throw new ExecutorException(new ExecutorException.NotAvailable(name(), CudaDevices.unavailable().orElse(UNFINISHED)));
    }
}
