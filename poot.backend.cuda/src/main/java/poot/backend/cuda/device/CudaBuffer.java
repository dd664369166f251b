package poot.backend.cuda.device;

import poot.core.kernel.device.DeviceBuffer;

/** Memory of an open device. */
final class CudaBuffer implements DeviceBuffer {
    private final CudaDevice device;
    private final String what;
    private final long address;
    private final long bytes;

    CudaBuffer(CudaDevice device, String what, long address, long bytes) {
        this.device = device;
        this.what = what;
        this.address = address;
        this.bytes = bytes;
    }

    @Override
    public String what() {
        return what;
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public void close() {
        device.release(this);
    }
}
