package poot.core.kernel.interpret;

import java.lang.foreign.MemorySegment;
import poot.core.kernel.device.HostBuffer;

/** Memory of an interpreted device that the host sees; what is in it always counts as written. */
final class InterpretedHostBuffer implements HostBuffer, Tracked {
    private final Allocation allocation;

    InterpretedHostBuffer(Allocation allocation) {
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
    public MemorySegment memory() {
        return allocation.tracked().bytes();
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
