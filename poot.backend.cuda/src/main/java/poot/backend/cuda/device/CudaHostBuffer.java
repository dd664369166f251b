package poot.backend.cuda.device;

import java.lang.foreign.MemorySegment;
import poot.backend.cuda.ffi.DriverMemory;
import poot.core.kernel.device.HostBuffer;

/** Pinned memory of the host that an open device reaches. */
final class CudaHostBuffer implements HostBuffer {
    private final CudaDevice device;
    private final String what;
    private final DriverMemory.Pinned pinned;

    CudaHostBuffer(CudaDevice device, String what, DriverMemory.Pinned pinned) {
        this.device = device;
        this.what = what;
        this.pinned = pinned;
    }

    DriverMemory.Pinned pinned() {
        return pinned;
    }

    @Override
    public String what() {
        return what;
    }

    @Override
    public MemorySegment memory() {
        return pinned.memory();
    }

    @Override
    public long address() {
        return pinned.address();
    }

    @Override
    public long bytes() {
        return pinned.memory().byteSize();
    }

    @Override
    public void close() {
        device.release(this);
    }
}
