package poot.core.kernel.interpret;

import poot.core.kernel.device.DeviceBuffer;

/** Device memory of an interpreted device. */
final class InterpretedBuffer implements DeviceBuffer, Tracked {
    private final Allocation allocation;

    InterpretedBuffer(Allocation allocation) {
        this.allocation = allocation;
    }

    @Override
    public String what() {
        return allocation.what();
    }

    @Override
    public long address() {
        return allocation.address();
    }

    @Override
    public long bytes() {
        return allocation.bytes();
    }

    @Override
    public TrackedMemory tracked() {
        return allocation.tracked();
    }

    @Override
    public void close() {
        allocation.close();
    }
}
