package poot.backend.vulkan.device;

import static org.lwjgl.vulkan.VK13.*;

import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.lwjgl.vulkan.VkCommandBuffer;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.DeviceFailed;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.executor.ExecutorException.Unsupported;
import poot.api.executor.MemoryLeft;
import poot.backend.vulkan.spirv.SpirvTarget;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.CompiledKernel;
import poot.core.kernel.device.Device;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.DeviceMemory;
import poot.core.kernel.device.HostBuffer;
import poot.core.kernel.device.Recording;
import poot.core.kernel.ir.DeviceKernel;

/**
 * A Vulkan 1.3 device: buffers reached by their addresses, kernels as compute pipelines, recordings as command buffers
 * that are submitted again and again, a timeline semaphore to wait for them.
 */
public final class VulkanDevice implements Device {
    private final VulkanInstance instance;
    private final PhysicalDevice physical;
    private final LogicalDevice logical;
    private final Parts parts;
    private final DeviceLimits limits;
    private final Set<VulkanMemory> hostViews = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean open = true;
    private boolean failed;

    private VulkanDevice(VulkanInstance instance, PhysicalDevice physical, LogicalDevice logical, Parts parts, DeviceLimits limits) {
        this.instance = instance;
        this.physical = physical;
        this.logical = logical;
        this.parts = parts;
        this.limits = limits;
    }

    /** What is made on an open device, and released before it. */
    private record Parts(boolean mapped, MemoryPool onDevice, MemoryPool onHost, Submissions submissions, Transfers transfers,
            Pipelines pipelines) {
        static Parts open(LogicalDevice logical, PhysicalDevice physical, DeviceProperties properties, SpirvTarget target,
                VulkanOptions options) throws ExecutorException {
            MemoryTypes types = MemoryTypes.of(physical, MemoryBlock.allowedTypes(logical.handle()));
            boolean mapped = types.deviceMapped() && !options.staging();
            long most = properties.limits().maxAllocationBytes();
            MemoryPool onDevice = new MemoryPool(logical.handle(), types.device(), mapped, most);
            MemoryPool onHost = new MemoryPool(logical.handle(), types.host(), true, most);
            Submissions submissions = Submissions.open(logical);
            try {
                return new Parts(mapped, onDevice, onHost, submissions, new Transfers(submissions, onHost),
                        Pipelines.open(logical.handle(), target, properties.fixedSubgroup(),
                                options.cache().map(folder -> new PipelineFile(folder, physical))));
            } catch (ExecutorException e) {
                submissions.close();
                throw e;
            }
        }

        void close() {
            transfers.close();
            pipelines.close();
            submissions.close();
            onHost.close();
            onDevice.close();
        }
    }

    /**
     * Opens the device that {@code options} name, or the best.
     *
     * @throws ExecutorException NotAvailable where there is no loader, driver or device that does
     */
    public static VulkanDevice open(VulkanOptions options) throws ExecutorException {
        return open(options, UnaryOperator.identity());
    }

    /** As {@link #open(VulkanOptions)}, its kernels made for a target changed by {@code change}. */
    static VulkanDevice open(VulkanOptions options, UnaryOperator<SpirvTarget> change) throws ExecutorException {
        VulkanInstance instance = VulkanInstance.open(options);
        LogicalDevice logical = null;
        VulkanDevice device = null;
        boolean done = false;
        try {
            PhysicalDevice physical = DeviceChoice.choose(instance.devices(), options.device());
            Set<DeviceFeatures> features = DeviceFeatures.of(physical);
            DeviceProperties properties = DeviceProperties.of(physical, features);
            logical = LogicalDevice.open(physical, features);
            SpirvTarget target = change.apply(properties.target());
            Parts parts = Parts.open(logical, physical, properties, target, options);
            device = new VulkanDevice(instance, physical, logical, parts, properties.limits());
            if (features.contains(DeviceFeatures.SHADER_FLOAT64) && !target.fmaInDouble() && !FusedMultiply.roundsOnce(device)) {
                parts.pipelines.retarget(target.withFmaInDouble(true));
            }
            done = true;
            return device;
        } finally {
            if (!done && device != null) {
                device.close();
            } else if (!done) {
                if (logical != null) {
                    logical.close();
                }
                instance.close();
            }
        }
    }

    @Override
    public DeviceLimits limits() {
        return limits;
    }

    @Override
    public Optional<MemoryLeft> memory() {
        return left(parts.onDevice);
    }

    /** What is left of the heap that a pool takes from; a processor that plays a GPU has the host's, whatever it says of heaps. */
    private Optional<MemoryLeft> left(MemoryPool of) {
        if (physical.kind() == PhysicalDevice.Kind.CPU) {
            return Optional.empty();
        }
        MemoryHeap heap = MemoryHeap.of(physical, of.type());
        MemoryPool other = of == parts.onHost ? parts.onDevice : parts.onHost;
        boolean shared = MemoryHeap.of(physical, other.type()).index() == heap.index();
        return Optional.of(heap.left(limits.name(), of.bytes() + (shared ? other.bytes() : 0)));
    }

    /** Messages of the validation layer; 0 where it is off. */
    public long messageCount() {
        return instance.messages().map(Messages::count).orElse(0L);
    }

    /** The first messages of the validation layer. */
    public List<String> messages() {
        return instance.messages().map(Messages::first).orElse(List.of());
    }

    /** Bytes of pipelines that an earlier run kept. */
    public long keptPipelineBytes() {
        return parts.pipelines.loaded();
    }

    /** The device's place in the loader's list. */
    public int index() {
        return physical.index();
    }

    @Override
    public DeviceBuffer allocate(String what, long bytes) throws ExecutorException {
        requireUsable();
        MemoryPool.Piece piece = piece(parts.onDevice, what, bytes);
        Optional<MemorySegment> mapped = piece.mapped();
        if (mapped.isPresent()) {
            mapped.get().fill((byte) 0);
        } else {
            try {
                guard(() -> parts.transfers.clear(piece, what));
            } catch (ExecutorException e) {
                parts.onDevice.free(piece);
                throw e;
            }
        }
        return new VulkanMemory.OnDevice(new VulkanMemory(this, parts.onDevice, piece, what, Optional.empty()));
    }

    @Override
    public HostBuffer allocateHost(String what, long bytes) throws ExecutorException {
        requireUsable();
        VulkanMemory.OnHost out = VulkanMemory.onHost(this, parts.onHost, piece(parts.onHost, what, bytes), what);
        hostViews.add(out.owner());
        return out;
    }

    /** A piece; where there is none, the refusal says what there is. */
    private MemoryPool.Piece piece(MemoryPool pool, String what, long bytes) throws ExecutorException {
        try {
            return pool.allocate(what, bytes);
        } catch (ExecutorException e) {
            if (e.fault() instanceof OutOfMemory o && o.memory().isEmpty()) {
                throw new ExecutorException(new OutOfMemory(o.what(), bytes, left(pool)), e);
            }
            throw e;
        }
    }

    /** Memory of the host's that is given back. */
    void forget(VulkanMemory memory) {
        hostViews.remove(memory);
    }

    @Override
    public void upload(DeviceBuffer to, long offset, MemorySegment from) throws ExecutorException {
        VulkanMemory memory = usable(to, offset, from.byteSize());
        if (memory.mapped().isPresent()) {
            MemorySegment.copy(from, 0, memory.mapped().get(), offset, from.byteSize());
        } else {
            guard(() -> parts.transfers.upload(memory.piece(), offset, from, to.what()));
        }
    }

    @Override
    public void download(DeviceBuffer from, long offset, MemorySegment to) throws ExecutorException {
        VulkanMemory memory = usable(from, offset, to.byteSize());
        if (memory.mapped().isPresent()) {
            MemorySegment.copy(memory.mapped().get(), offset, to, 0, to.byteSize());
        } else {
            guard(() -> parts.transfers.download(memory.piece(), offset, to, from.what()));
        }
    }

    private VulkanMemory usable(DeviceMemory memory, long offset, long bytes) throws ExecutorException {
        requireUsable();
        if (offset < 0 || offset > memory.bytes() - bytes) {
            throw new ExecutorException(new Mismatch(bytes + " bytes at " + offset + " of " + memory.what() + ", which has "
                    + memory.bytes() + ": stay within it"));
        }
        return VulkanMemory.of(memory, this);
    }

    @Override
    public CompiledKernel compile(DeviceKernel kernel) throws ExecutorException {
        requireUsable();
        Optional<String> refusal = limits.refuses(kernel);
        if (refusal.isPresent()) {
            throw new ExecutorException(new Unsupported(Outcome.BACKEND, "kernel " + kernel.name(), refusal.get()));
        }
        return parts.pipelines.compile(kernel);
    }

    @Override
    public Recording record(List<Command> commands) throws ExecutorException {
        requireUsable();
        parts.pipelines.keep(); // What is recorded is compiled: a process that is killed from now on has kept it.
        return VulkanRecording.of(this, commands);
    }

    /** A kernel as this device made it. */
    VulkanKernel own(CompiledKernel kernel) throws ExecutorException {
        if (kernel instanceof VulkanKernel v && v.owner() == parts.pipelines) {
            return v;
        }
        throw new ExecutorException(new Mismatch("kernel " + kernel.kernel().name() + " was compiled by another device: compile it on this one"));
    }

    Submissions submissions() {
        return parts.submissions;
    }

    /** Runs a command buffer and waits for it. */
    void run(VkCommandBuffer commands, String what) throws ExecutorException {
        requireUsable();
        guard(() -> parts.submissions.await(parts.submissions.submit(commands, what), what));
    }

    /** Whether it was not closed. */
    boolean isOpen() {
        return open;
    }

    private void requireUsable() throws ExecutorException {
        if (!open || failed) {
            throw new ExecutorException(new DeviceFailed(Outcome.BACKEND, limits.name() + (open ? " has failed" : " is closed")
                    + ": open it again"));
        }
    }

    /** Work on the device: once it fails, only closing is of use. */
    void guard(Work work) throws ExecutorException {
        try {
            work.run();
        } catch (ExecutorException e) {
            failed |= e.fault() instanceof DeviceFailed;
            throw e;
        }
    }

    /** Something that the device may fail at. */
    interface Work {
        void run() throws ExecutorException;
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            List.copyOf(hostViews).forEach(VulkanMemory::close);
            hostViews.clear();
            vkDeviceWaitIdle(logical.handle()); // Of a lost device this fails, and all the same it can be released.
            parts.close();
            logical.close();
            instance.close();
        }
    }
}
