package poot.backend.cuda;

import poot.api.executor.Availability;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.ExecutorProvider;
import poot.backend.cuda.device.CudaDevices;
import poot.core.kernel.execute.DeviceExecutor;

/** The CUDA backend: NVIDIA's devices, through their driver alone. */
public final class CudaExecutorProvider implements ExecutorProvider {
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
        return CudaDevices.probe();
    }

    @Override
    public Executor open(ExecutorOptions options) throws ExecutorException {
        DeviceExecutor.require(name(), options);
        return new DeviceExecutor(CudaDevices.open());
    }
}
