package poot.backend.vulkan.device;

import static org.lwjgl.vulkan.VK13.*;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkCommandBuffer;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.executor.ExecutorException.Unsupported;
import poot.backend.vulkan.spirv.ParameterLayout;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.device.HostBuffer;
import poot.core.kernel.device.Launch;
import poot.core.kernel.device.Recording;

/** Commands in a command buffer, with the parameters that are too many to push. */
final class VulkanRecording implements Recording {
    private static final ValueLayout.OfLong ADDRESS = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt SCALAR = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfFloat REAL = ValueLayout.JAVA_FLOAT_UNALIGNED;

    private final VulkanDevice device;
    private final VkCommandBuffer commands;
    private final HostBuffer records;
    private final String what;
    private boolean closed;

    private VulkanRecording(VulkanDevice device, VkCommandBuffer commands, HostBuffer records, String what) {
        this.device = device;
        this.commands = commands;
        this.records = records;
        this.what = what;
    }

    /** Records {@code commands}. */
    static VulkanRecording of(VulkanDevice device, List<Command> commands) throws ExecutorException {
        long bytes = 0;
        for (Command c : commands) {
            if (c instanceof Launch l && !device.own(l.kernel()).parameters().pushed()) {
                bytes += device.own(l.kernel()).parameters().bytes();
            }
        }
        HostBuffer records = bytes == 0 ? null : device.allocateHost("parameters of a recording", bytes);
        VkCommandBuffer buffer = null;
        boolean done = false;
        try {
            buffer = device.submissions().begin();
            write(device, commands, buffer, records);
            Submissions.end(buffer);
            done = true;
            return new VulkanRecording(device, buffer, records, "a recording of " + commands.size() + " commands");
        } finally {
            if (!done && buffer != null) {
                device.submissions().free(buffer);
            }
            if (!done && records != null) {
                records.close();
            }
        }
    }

    private static void write(VulkanDevice device, List<Command> commands, VkCommandBuffer buffer, HostBuffer records)
            throws ExecutorException {
        long bound = 0;
        long at = 0;
        for (Command c : commands) {
            if (c.after()) {
                Submissions.barrier(buffer);
            }
            switch (c) {
                case Launch l -> {
                    VulkanKernel kernel = device.own(l.kernel());
                    if (bound != kernel.pipeline()) {
                        bound = kernel.pipeline();
                        vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, bound);
                    }
                    boolean pushed = kernel.parameters().pushed();
                    launch(device, l, kernel, buffer, pushed ? null : records, at);
                    at += pushed ? 0 : kernel.parameters().bytes();
                }
                case Command.Copy copy -> Transfers.record(buffer, VulkanMemory.of(copy.from(), device).piece(), copy.fromOffset(),
                        VulkanMemory.of(copy.to(), device).piece(), copy.toOffset(), copy.bytes());
                case Command.Fill fill -> {
                    MemoryPool.Piece to = VulkanMemory.of(fill.to(), device).piece();
                    vkCmdFillBuffer(buffer, to.block().buffer(), to.bufferOffset() + fill.offset(), fill.bytes(), 0);
                }
            }
        }
    }

    /** Adds a launch; its parameters are pushed, or lie in {@code records} from {@code at} on. */
    private static void launch(VulkanDevice device, Launch l, VulkanKernel kernel, VkCommandBuffer buffer, HostBuffer records, long at)
            throws ExecutorException {
        requireGrid(device.limits(), l.grid(), kernel);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            ParameterLayout layout = kernel.parameters();
            if (records != null) {
                fill(records.memory().asSlice(at, layout.bytes()), l.arguments(), layout, device);
                vkCmdPushConstants(buffer, kernel.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, stack.longs(records.address() + at));
            } else if (layout.bytes() > 0) {
                ByteBuffer block = stack.calloc(layout.bytes());
                fill(MemorySegment.ofBuffer(block), l.arguments(), layout, device);
                vkCmdPushConstants(buffer, kernel.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, block);
            }
        }
        vkCmdDispatch(buffer, l.grid().x(), l.grid().y(), l.grid().z());
    }

    private static void fill(MemorySegment block, List<Argument> arguments, ParameterLayout layout, VulkanDevice device)
            throws ExecutorException {
        for (int i = 0; i < arguments.size(); i++) {
            long offset = layout.offsets().get(i);
            switch (arguments.get(i)) {
                case Argument.Memory m -> {
                    VulkanMemory.of(m.memory(), device);
                    block.set(ADDRESS, offset, m.address());
                }
                case Argument.Int n -> block.set(SCALAR, offset, n.value());
                case Argument.Float f -> block.set(REAL, offset, f.value());
            }
        }
    }

    private static void requireGrid(DeviceLimits limits, Grid grid, VulkanKernel kernel) throws ExecutorException {
        if (grid.x() > limits.maxGridX() || grid.y() > limits.maxGridYz() || grid.z() > limits.maxGridYz()) {
            throw new ExecutorException(new Unsupported(Outcome.BACKEND, "kernel " + kernel.kernel().name() + " over " + grid.x() + " x "
                    + grid.y() + " x " + grid.z() + " workgroups", "the device allows " + limits.maxGridX() + " x " + limits.maxGridYz()
                    + " x " + limits.maxGridYz()));
        }
    }

    /** What is submitted by each run. */
    VkCommandBuffer commands() {
        return commands;
    }

    @Override
    public void run() throws ExecutorException {
        if (closed || !device.isOpen()) {
            throw new ExecutorException(new Mismatch(what + " is closed: record it again"));
        }
        device.run(commands, what);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (device.isOpen()) {
                device.submissions().free(commands);
                if (records != null) {
                    records.close();
                }
            }
        }
    }
}
