package poot.matrix;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.DeviceFailed;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.executor.ExecutorException.Unsupported;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.CompiledKernel;
import poot.core.kernel.device.Device;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.HostBuffer;
import poot.core.kernel.device.Recording;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelValidator;

/** A device of which there are the limits alone: kernels are written, checked against them and never run. */
public final class PaperDevice implements Device {
    private final DeviceLimits limits;
    private long next = 1L << 40;

    /** With what its kernels have to fit. */
    public PaperDevice(DeviceLimits limits) {
        this.limits = limits;
    }

    @Override
    public DeviceLimits limits() {
        return limits;
    }

    @Override
    public DeviceBuffer allocate(String what, long bytes) throws ExecutorException {
        return new Buffer(what, address(what, bytes), bytes);
    }

    @Override
    public HostBuffer allocateHost(String what, long bytes) throws ExecutorException {
        long address = address(what, bytes);
        MemorySegment words = MemorySegment.ofArray(new long[Math.toIntExact((bytes + 7) / 8)]);
        return new Host(what, address, bytes, words.asSlice(0, bytes));
    }

    private long address(String what, long bytes) throws ExecutorException {
        if (bytes < 1 || bytes > limits.maxAllocationBytes()) {
            throw new ExecutorException(new OutOfMemory(what, bytes));
        }
        long address = next;
        next += (bytes + 511) & -256L;
        return address;
    }

    @Override
    public void upload(DeviceBuffer to, long offset, MemorySegment from) {
        // there is nowhere to put it
    }

    @Override
    public void download(DeviceBuffer from, long offset, MemorySegment to) throws ExecutorException {
        throw nothing();
    }

    @Override
    public CompiledKernel compile(DeviceKernel kernel) throws ExecutorException {
        KernelValidator.validate(kernel);
        Optional<String> why = limits.refuses(kernel);
        if (why.isPresent()) {
            throw new ExecutorException(new Unsupported(limits.backend(), "kernel " + kernel.name(), why.get()));
        }
        return new Kernel(kernel);
    }

    @Override
    public Recording record(List<Command> commands) {
        return new Silent(commands.stream().allMatch(Command.Fill.class::isInstance), this);
    }

    private ExecutorException nothing() {
        return new ExecutorException(new DeviceFailed(limits.backend(), "a device on paper runs nothing"));
    }

    @Override
    public void close() {
        // holds nothing
    }

    private record Kernel(DeviceKernel kernel) implements CompiledKernel {}

    private record Buffer(String what, long address, long bytes) implements DeviceBuffer {
        @Override
        public void close() {
            // holds nothing
        }
    }

    private record Host(String what, long address, long bytes, MemorySegment memory) implements HostBuffer {
        @Override
        public void close() {
            // the heap's
        }
    }

    /** What it would do is done where it only zeroes: nothing here was ever written. */
    private record Silent(boolean zeroes, PaperDevice device) implements Recording {
        @Override
        public void run() throws ExecutorException {
            if (!zeroes) {
                throw device.nothing();
            }
        }

        @Override
        public void close() {
            // holds nothing
        }
    }
}
