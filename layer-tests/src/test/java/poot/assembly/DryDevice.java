package poot.assembly;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Unsupported;
import poot.backend.cuda.ptx.PtxTarget;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.CompiledKernel;
import poot.core.kernel.device.Device;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.HostBuffer;
import poot.core.kernel.device.Recording;
import poot.core.kernel.ir.DeviceKernel;

/** A device that has addresses but no memory, and keeps what it was told. What it is told to run is done at once: nothing. */
public final class DryDevice implements Device {
    private static final int DRIVER = 13000;
    private static final int LEAST = 75;
    private static final long BEGIN = 1L << 32;

    private final Arena arena = Arena.ofShared();
    private final PtxTarget target;
    private final DeviceLimits limits;
    private final Map<DeviceKernel, CompiledKernel> kernels = new LinkedHashMap<>();
    private List<Command> recorded = List.of();
    private long next = BEGIN;

    private DryDevice(PtxTarget target, DeviceLimits limits) {
        this.target = target;
        this.limits = limits;
    }

    /** One of NVIDIA's, of a compute capability: 10 * major + minor. */
    static DryDevice cuda(int capability) {
        PtxTarget target = PtxTarget.of(capability, DRIVER).orElseThrow();
        int shared = switch (capability) {
            case 75 -> 64 * 1024;
            case 80 -> 163 * 1024;
            case 90 -> 227 * 1024;
            default -> 99 * 1024;
        };
        return new DryDevice(target, new DeviceLimits("cuda", "sm_" + capability, 32, 32, 32, 1024, Integer.MAX_VALUE, 65535, shared,
                80L << 30, 80L << 30, 128, false, target.capabilities()));
    }

    /** One of other limits, for which no PTX is written. */
    static DryDevice of(DeviceLimits limits) {
        return new DryDevice(PtxTarget.of(LEAST, DRIVER).orElseThrow(), limits);
    }

    /** What kernels are written for. */
    public PtxTarget target() {
        return target;
    }

    /** Every kernel that was compiled, each once. */
    public List<DeviceKernel> kernels() {
        return List.copyOf(kernels.keySet());
    }

    /** What was recorded last. */
    List<Command> recorded() {
        return recorded;
    }

    @Override
    public DeviceLimits limits() {
        return limits;
    }

    @Override
    public DeviceBuffer allocate(String what, long bytes) {
        return new Nothing(what, place(bytes), bytes);
    }

    /** Host memory of ones: validations hold. */
    @Override
    public HostBuffer allocateHost(String what, long bytes) {
        return new Host(what, place(bytes), arena.allocate(bytes, 256).fill((byte) 1));
    }

    private long place(long bytes) {
        long at = next;
        next += (bytes + 255) & -256;
        return at;
    }

    @Override
    public void upload(DeviceBuffer to, long offset, MemorySegment from) {
        requireRange(to, offset, from.byteSize());
    }

    @Override
    public void download(DeviceBuffer from, long offset, MemorySegment to) {
        requireRange(from, offset, to.byteSize());
    }

    private static void requireRange(DeviceBuffer b, long offset, long bytes) {
        if (offset < 0 || offset > b.bytes() - bytes) {
            throw new IllegalArgumentException(bytes + " bytes at " + offset + " of " + b.what() + ", which has " + b.bytes());
        }
    }

    @Override
    public CompiledKernel compile(DeviceKernel kernel) throws ExecutorException {
        var refused = limits.refuses(kernel);
        if (refused.isPresent()) {
            throw new ExecutorException(new Unsupported(limits.backend(), kernel.name(), refused.get()));
        }
        return kernels.computeIfAbsent(kernel, Compiled::new);
    }

    @Override
    public Recording record(List<Command> commands) {
        recorded = List.copyOf(commands);
        return new Told();
    }

    @Override
    public void close() {
        arena.close();
    }

    private record Compiled(DeviceKernel kernel) implements CompiledKernel {}

    private record Nothing(String what, long address, long bytes) implements DeviceBuffer {
        @Override
        public void close() {}
    }

    private record Host(String what, long address, MemorySegment memory) implements HostBuffer {
        @Override
        public long bytes() {
            return memory.byteSize();
        }

        @Override
        public void close() {}
    }

    private record Told() implements Recording {
        @Override
        public void run() {}

        @Override
        public void close() {}
    }
}
