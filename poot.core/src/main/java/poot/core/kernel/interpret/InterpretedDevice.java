package poot.core.kernel.interpret;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import poot.api.executor.ExecutorException;
import poot.api.executor.MemoryLeft;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.CompiledKernel;
import poot.core.kernel.device.Device;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.DeviceMemory;
import poot.core.kernel.device.Grid;
import poot.core.kernel.device.HostBuffer;
import poot.core.kernel.device.Launch;
import poot.core.kernel.device.Recording;
import poot.core.kernel.ir.Capability;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelValidator;

/**
 * A device that interprets kernels, for tests: slow, and strict about everything that a real device leaves undefined.
 * A fault of a kernel comes as DeviceFailed whose cause is a {@link KernelFaultException}; after it the device still
 * works. Besides what the {@link Interpreter} finds it finds commands that use each other's memory without an order
 * between them.
 */
public final class InterpretedDevice implements Device {
    /** What it calls itself. */
    public static final String BACKEND = "interpreted";
    private static final long FIRST_ADDRESS = 1L << 40;
    private static final long GAP = 1L << 16;
    private final DeviceLimits limits;
    private final Fresh fresh;
    private final Phases phases = new Phases();
    private final Map<DeviceKernel, Compiled> kernels = new HashMap<>();
    private final Set<Allocation> open = new LinkedHashSet<>();
    private long nextAddress = FIRST_ADDRESS;
    private long used;
    private long launches;

    /** A device with given limits. */
    public InterpretedDevice(DeviceLimits limits, Fresh fresh) {
        this.limits = limits;
        this.fresh = fresh;
    }

    /** A device of 1 GiB with subgroups of one size. */
    public static InterpretedDevice of(int subgroup, Fresh fresh, Capability... capabilities) {
        return new InterpretedDevice(new DeviceLimits(BACKEND, "interpreter", subgroup, subgroup, subgroup, KernelValidator.MAX_WORKGROUP,
                Integer.MAX_VALUE, 65_535, 48 << 10, 1L << 30, 1L << 30, 1, true, Set.of(capabilities)), fresh);
    }

    /** Launches run so far. */
    public long launches() {
        return launches;
    }

    @Override
    public DeviceLimits limits() {
        return limits;
    }

    @Override
    public Optional<MemoryLeft> memory() {
        return Optional.of(new MemoryLeft(limits.name(), limits.memoryBytes(), limits.memoryBytes() - used));
    }

    @Override
    public DeviceBuffer allocate(String what, long bytes) throws ExecutorException {
        return new InterpretedBuffer(allocation(what, bytes, fresh == Fresh.ZEROED));
    }

    @Override
    public HostBuffer allocateHost(String what, long bytes) throws ExecutorException {
        return new InterpretedHostBuffer(allocation(what, bytes, true));
    }

    private Allocation allocation(String what, long bytes, boolean written) throws ExecutorException {
        if (bytes < 1 || bytes > limits.maxAllocationBytes() || bytes > limits.memoryBytes() - used || bytes > Integer.MAX_VALUE - 8) {
            throw new ExecutorException(new ExecutorException.OutOfMemory(what, bytes, memory()));
        }
        Allocation[] out = new Allocation[1];
        out[0] = new Allocation(what, nextAddress, bytes, written, () -> {
            open.remove(out[0]);
            used -= bytes;
        });
        open.add(out[0]);
        used += bytes;
        nextAddress += (bytes + GAP + 255) & -256L;
        return out[0];
    }

    @Override
    public void upload(DeviceBuffer to, long offset, MemorySegment from) throws ExecutorException {
        require(to, offset, from.byteSize());
        TrackedMemory memory = Tracked.of(to).tracked();
        MemorySegment.copy(from, 0, memory.bytes(), offset, from.byteSize());
        memory.define(offset, from.byteSize(), true);
    }

    @Override
    public void download(DeviceBuffer from, long offset, MemorySegment to) throws ExecutorException {
        require(from, offset, to.byteSize());
        TrackedMemory memory = Tracked.of(from).tracked();
        long hole = memory.undefined(offset, to.byteSize());
        if (hole >= 0) {
            throw new ExecutorException(new ExecutorException.DeviceFailed(BACKEND, "download of " + from.what() + " at byte " + hole
                    + ", which nothing wrote"));
        }
        MemorySegment.copy(memory.bytes(), offset, to, 0, to.byteSize());
    }

    private static void require(DeviceMemory memory, long offset, long bytes) throws ExecutorException {
        if (offset < 0 || offset > memory.bytes() - bytes) {
            throw new ExecutorException(new ExecutorException.Mismatch(bytes + " bytes at " + offset + " of " + memory.what() + ", which has "
                    + memory.bytes()));
        }
    }

    @Override
    public CompiledKernel compile(DeviceKernel kernel) throws ExecutorException {
        Compiled known = kernels.get(kernel);
        if (known != null) {
            return known;
        }
        KernelValidator.validate(kernel);
        var refused = limits.refuses(kernel);
        if (refused.isPresent()) {
            throw new ExecutorException(new ExecutorException.Unsupported(BACKEND, "kernel " + kernel.name(), refused.get()));
        }
        Compiled out = new Compiled(this, kernel);
        kernels.put(kernel, out);
        return out;
    }

    @Override
    public Recording record(List<Command> commands) throws ExecutorException {
        for (Command c : commands) {
            if (c instanceof Launch l) {
                Grid g = l.grid();
                if (g.x() > limits.maxGridX() || g.y() > limits.maxGridYz() || g.z() > limits.maxGridYz()) {
                    throw new ExecutorException(new ExecutorException.Unsupported(BACKEND, "kernel " + l.kernel().kernel().name(), g + " is larger than the device's"));
                }
                if (!(l.kernel() instanceof Compiled k) || k.device() != this) {
                    throw new ExecutorException(new ExecutorException.Mismatch("kernel " + l.kernel().kernel().name() + " was compiled by another device"));
                }
            }
        }
        return new Replay(this, List.copyOf(commands));
    }

    @Override
    public void close() {
        new ArrayList<>(open).forEach(Allocation::close);
        kernels.clear();
    }

    private void run(Command c) throws ExecutorException {
        if (c.after()) {
            phases.order();
        }
        try {
            switch (c) {
                case Launch l -> {
                    launches++;
                    Interpreter.run(l.kernel().kernel(), l.arguments(), l.grid(), phases);
                }
                case Command.Copy m -> copy(m);
                case Command.Fill f -> fill(f);
            }
        } catch (KernelFaultException e) {
            throw new ExecutorException(new ExecutorException.DeviceFailed(BACKEND, e.getMessage()), e);
        }
    }

    private void copy(Command.Copy m) throws KernelFaultException {
        phases.beginWorkgroup();
        Site site = new Site("copy", phases);
        TrackedMemory from = Tracked.of(m.from()).tracked();
        TrackedMemory to = Tracked.of(m.to()).tracked();
        from.beforeCopy(m.fromOffset(), Math.toIntExact(m.bytes()), site);
        to.beforeWrite(m.toOffset(), Math.toIntExact(m.bytes()), false, site);
        from.copyTo(to, m.fromOffset(), m.toOffset(), m.bytes());
    }

    private void fill(Command.Fill f) throws KernelFaultException {
        phases.beginWorkgroup();
        TrackedMemory to = Tracked.of(f.to()).tracked();
        to.beforeWrite(f.offset(), Math.toIntExact(f.bytes()), false, new Site("fill", phases));
        to.bytes().asSlice(f.offset(), f.bytes()).fill((byte) 0);
        to.define(f.offset(), f.bytes(), true);
    }

    private record Compiled(InterpretedDevice device, DeviceKernel kernel) implements CompiledKernel {}

    private record Replay(InterpretedDevice device, List<Command> commands) implements Recording {
        @Override
        public void run() throws ExecutorException {
            device.phases.order();
            for (Command c : commands) {
                device.run(c);
            }
            device.phases.order();
        }

        @Override
        public void close() {
            // Holds nothing of its own.
        }
    }
}
