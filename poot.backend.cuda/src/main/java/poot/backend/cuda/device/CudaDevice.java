package poot.backend.cuda.device;

import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import poot.api.executor.ExecutorException;
import poot.api.executor.MemoryLeft;
import poot.backend.cuda.ffi.CudaException;
import poot.backend.cuda.ffi.DriverMemory;
import poot.backend.cuda.ffi.DriverModule;
import poot.backend.cuda.ffi.DriverStream;
import poot.backend.cuda.ffi.PhysicalDevice;
import poot.backend.cuda.ffi.PrimaryContext;
import poot.backend.cuda.ptx.PtxEmitter;
import poot.backend.cuda.ptx.PtxTarget;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.CompiledKernel;
import poot.core.kernel.device.Device;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.DeviceMemory;
import poot.core.kernel.device.HostBuffer;
import poot.core.kernel.device.Launch;
import poot.core.kernel.device.Recording;
import poot.core.kernel.ir.DeviceKernel;

/**
 * An open CUDA device: its primary context, one stream, and all that was made in it. Assembled kernels are kept by their
 * structure; across runs the driver keeps them itself, in its own cache on disk, by their text.
 */
public final class CudaDevice implements Device {
    private final PrimaryContext context;
    private final PtxTarget target;
    private final DeviceLimits limits;
    private final DriverStream stream;
    private final Staging staging;
    private final Map<DeviceKernel, CudaKernel> kernels = new HashMap<>();
    private final Set<CudaBuffer> buffers = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<CudaHostBuffer> hostBuffers = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<CudaRecording> recordings = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean closed;

    private CudaDevice(PrimaryContext context, PtxTarget target, DeviceLimits limits, DriverStream stream, Staging staging) {
        this.context = context;
        this.target = target;
        this.limits = limits;
        this.stream = stream;
        this.staging = staging;
    }

    /** What a call to the driver computes, or how it fails. */
    private interface Call<T> {
        T run() throws CudaException;
    }

    /** Opens a device whose kernels are written for {@code target}. */
    static CudaDevice open(PhysicalDevice physical, PtxTarget target) throws ExecutorException {
        try {
            PrimaryContext context = PrimaryContext.retain(physical);
            DriverStream stream = null;
            try {
                context.enter();
                stream = DriverStream.create();
                return new CudaDevice(context, target, limits(physical, target), stream, Staging.create(stream));
            } catch (CudaException e) {
                if (stream != null) {
                    stream.close();
                }
                context.close();
                throw e;
            }
        } catch (CudaException e) {
            throw Failures.allocating("opening device " + physical.ordinal() + " and moving bytes to it", 2 * Staging.PIECE, Optional.empty(), e);
        }
    }

    private static DeviceLimits limits(PhysicalDevice d, PtxTarget target) throws CudaException {
        long memory = DriverMemory.amount().unused();
        return new DeviceLimits(CudaDevices.BACKEND, d.name(), d.warp(), d.warp(), d.warp(), d.blockThreads(), d.gridX(), d.gridYz(),
                d.blockSharedBytes(), memory, memory, d.processors(), d.isIntegrated(), target.capabilities());
    }

    @Override
    public DeviceLimits limits() {
        return limits;
    }

    @Override
    public Optional<MemoryLeft> memory() throws ExecutorException {
        DriverMemory.Amount now = drive(DriverMemory::amount);
        return Optional.of(new MemoryLeft(limits.name(), now.all(), now.unused()));
    }

    /** What there is for a message: nothing where the driver no longer answers. */
    private Optional<MemoryLeft> left() {
        try {
            return memory();
        } catch (ExecutorException _) {
            return Optional.empty();
        }
    }

    @Override
    public DeviceBuffer allocate(String what, long bytes) throws ExecutorException {
        requireSize(what, bytes);
        enter();
        try {
            CudaBuffer out = new CudaBuffer(this, what, DriverMemory.allocate(bytes), bytes);
            buffers.add(out);
            try {
                stream.clear(out.address(), bytes);
                stream.await();
            } catch (CudaException e) {
                out.close();
                throw e;
            }
            return out;
        } catch (CudaException e) {
            throw Failures.allocating(what, bytes, left(), e);
        }
    }

    @Override
    public HostBuffer allocateHost(String what, long bytes) throws ExecutorException {
        requireSize(what, bytes);
        enter();
        try {
            CudaHostBuffer out = new CudaHostBuffer(this, what, DriverMemory.allocateHost(bytes));
            hostBuffers.add(out);
            out.memory().fill((byte) 0);
            return out;
        } catch (CudaException e) {
            throw Failures.allocating(what, bytes, Optional.empty(), e);
        }
    }

    @Override
    public void upload(DeviceBuffer to, long offset, MemorySegment from) throws ExecutorException {
        requireRange(to, offset, from.byteSize());
        requireOpen(to);
        drive(() -> {
            staging.upload(to.address() + offset, from);
            return to;
        });
    }

    @Override
    public void download(DeviceBuffer from, long offset, MemorySegment to) throws ExecutorException {
        requireRange(from, offset, to.byteSize());
        requireOpen(from);
        drive(() -> {
            staging.download(to, from.address() + offset);
            return from;
        });
    }

    @Override
    public CompiledKernel compile(DeviceKernel kernel) throws ExecutorException {
        CudaKernel known = kernels.get(kernel);
        if (known != null) {
            return known;
        }
        var refused = limits.refuses(kernel);
        if (refused.isPresent()) {
            throw Failures.unsupported(kernel.name(), refused.get());
        }
        CudaKernel out = drive(() -> assemble(kernel));
        kernels.put(kernel, out);
        return out;
    }

    private CudaKernel assemble(DeviceKernel kernel) throws CudaException {
        DriverModule module = DriverModule.load(PtxEmitter.emit(kernel, target), PtxEmitter.entry(kernel));
        int shared = PtxEmitter.launchSharedBytes(kernel);
        try {
            if (shared > 0) {
                module.allowShared(shared);
            }
        } catch (CudaException e) {
            module.close();
            throw e;
        }
        return new CudaKernel(kernel, this, module, shared);
    }

    @Override
    public Recording record(List<Command> commands) throws ExecutorException {
        for (Command c : commands) {
            check(c);
        }
        CudaRecording out = drive(() -> CudaRecording.of(this, context, commands));
        recordings.add(out);
        return out;
    }

    private void check(Command command) throws ExecutorException {
        switch (command) {
            case Command.Copy c -> {
                requireOpen(c.from());
                requireOpen(c.to());
            }
            case Command.Fill f -> requireOpen(f.to());
            case Launch l -> {
                check(l);
                for (Argument a : l.arguments()) {
                    if (a instanceof Argument.Memory m) {
                        requireOpen(m.memory());
                    }
                }
            }
        }
    }

    /** An address of memory that is gone, or of another device, would be written through all the same. */
    private void requireOpen(DeviceMemory memory) throws ExecutorException {
        if (!closed && !buffers.contains(memory) && !hostBuffers.contains(memory)) {
            throw Failures.mismatch("memory " + memory.what() + " is closed, or of another device: keep it open while it is used");
        }
    }

    private void check(Launch l) throws ExecutorException {
        if (!(l.kernel() instanceof CudaKernel k) || k.owner() != this) {
            throw Failures.mismatch("kernel " + l.kernel().kernel().name() + " was compiled by another device: compile it with this one");
        }
        var g = l.grid();
        if (g.x() > limits.maxGridX() || g.y() > limits.maxGridYz() || g.z() > limits.maxGridYz()) {
            throw Failures.unsupported(k.kernel().name(), g + ", the device has " + limits.maxGridX() + " x " + limits.maxGridYz() + " x "
                    + limits.maxGridYz());
        }
    }

    void run(CudaRecording recording) throws ExecutorException {
        if (!closed && !recordings.contains(recording)) {
            throw Failures.mismatch("a recording that was closed: record it again");
        }
        drive(() -> {
            recording.graph().launch(stream);
            stream.await();
            return recording;
        });
    }

    void release(CudaBuffer buffer) {
        if (buffers.remove(buffer)) {
            context.enterToRelease();
            DriverMemory.free(buffer.address());
        }
    }

    void release(CudaHostBuffer buffer) {
        if (hostBuffers.remove(buffer)) {
            context.enterToRelease();
            DriverMemory.free(buffer.pinned());
        }
    }

    void release(CudaRecording recording) {
        if (recordings.remove(recording)) {
            context.enterToRelease();
            recording.graph().close();
        }
    }

    /** Calls the driver in this device's context. */
    private <T> T drive(Call<T> call) throws ExecutorException {
        enter();
        try {
            return call.run();
        } catch (CudaException e) {
            throw Failures.failed(e);
        }
    }

    private void enter() throws ExecutorException {
        if (closed) {
            throw Failures.closed();
        }
        try {
            context.enter();
        } catch (CudaException e) {
            throw Failures.failed(e);
        }
    }

    private static void requireSize(String what, long bytes) throws ExecutorException {
        if (bytes <= 0) {
            throw Failures.mismatch(what + " of " + bytes + " bytes: ask for at least one");
        }
    }

    private static void requireRange(DeviceMemory memory, long offset, long bytes) throws ExecutorException {
        if (offset < 0 || offset > memory.bytes() - bytes) {
            throw Failures.mismatch(bytes + " bytes at " + offset + " of " + memory.what() + ", which has " + memory.bytes()
                    + ": stay within it");
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        context.enterToRelease();
        List.copyOf(recordings).forEach(this::release);
        kernels.values().forEach(k -> k.module().close());
        kernels.clear();
        List.copyOf(buffers).forEach(this::release);
        List.copyOf(hostBuffers).forEach(this::release);
        staging.close();
        stream.close();
        closed = true;
        context.close();
    }
}
