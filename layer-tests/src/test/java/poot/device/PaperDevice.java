package poot.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.CompiledKernel;
import poot.core.kernel.device.Device;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.HostBuffer;
import poot.core.kernel.device.Recording;
import poot.core.kernel.ir.DeviceKernel;

/** A device of any size that does nothing: models are planned on it that no machine here holds. All that is read back is ones. */
record PaperDevice(DeviceLimits limits) implements Device {
    private record OnPaper(String what, long bytes) implements DeviceBuffer {
        @Override
        public long address() {
            return 0;
        }

        @Override
        public void close() {
            // There is nothing.
        }
    }

    private record Sheet(String what, MemorySegment memory) implements HostBuffer {
        @Override
        public long bytes() {
            return memory.byteSize();
        }

        @Override
        public long address() {
            return 0;
        }

        @Override
        public void close() {
            // The garbage collector's.
        }
    }

    private record Uncompiled(DeviceKernel kernel) implements CompiledKernel {}

    private static final class Unrun implements Recording {
        @Override
        public void run() {
            // Nothing runs.
        }

        @Override
        public void close() {
            // There is nothing.
        }
    }

    @Override
    public DeviceBuffer allocate(String what, long bytes) {
        return new OnPaper(what, bytes);
    }

    @Override
    public HostBuffer allocateHost(String what, long bytes) {
        return new Sheet(what, Arena.ofAuto().allocate(bytes, 256).fill((byte) 1));
    }

    @Override
    public void upload(DeviceBuffer to, long offset, MemorySegment from) {
        // Nobody reads it.
    }

    @Override
    public void download(DeviceBuffer from, long offset, MemorySegment to) {
        to.fill((byte) 1);
    }

    @Override
    public CompiledKernel compile(DeviceKernel kernel) {
        return new Uncompiled(kernel);
    }

    @Override
    public Recording record(List<Command> commands) {
        return new Unrun();
    }

    @Override
    public void close() {
        // There is nothing.
    }
}
