package poot.backend.cuda.device;

import java.util.Optional;
import poot.api.executor.ExecutorException;
import poot.api.executor.MemoryLeft;
import poot.backend.cuda.ffi.CudaException;

/** What the driver's errors are to a caller. */
final class Failures {
    private Failures() {}

    /** Memory of {@code bytes} for {@code what} was asked for where there is {@code memory}. */
    static ExecutorException allocating(String what, long bytes, Optional<MemoryLeft> memory, CudaException e) {
        return e.isOutOfMemory() ? new ExecutorException(new ExecutorException.OutOfMemory(what, bytes, memory), e) : failed(e);
    }

    /** The device, or its driver, failed, or lacked memory for itself. */
    static ExecutorException failed(CudaException e) {
        if (e.isOutOfMemory()) {
            return new ExecutorException(new ExecutorException.OutOfMemory("what CUDA's driver needs itself (" + e.call() + ")", 0), e);
        }
        return new ExecutorException(new ExecutorException.DeviceFailed(CudaDevices.BACKEND, e.getMessage()), e);
    }

    /** A kernel cannot run on the device. */
    static ExecutorException unsupported(String kernel, String why) {
        return new ExecutorException(new ExecutorException.Unsupported(CudaDevices.BACKEND, "kernel " + kernel, why));
    }

    /** What was asked does not fit what it was asked of. */
    static ExecutorException mismatch(String what) {
        return new ExecutorException(new ExecutorException.Mismatch(what));
    }

    /** The device was closed. */
    static ExecutorException closed() {
        return new ExecutorException(new ExecutorException.DeviceFailed(CudaDevices.BACKEND, "the device is closed; open it again"));
    }
}
