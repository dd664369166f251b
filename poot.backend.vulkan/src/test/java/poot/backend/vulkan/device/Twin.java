package poot.backend.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import poot.api.executor.ExecutorException;
import poot.backend.vulkan.spirv.SpirvEmitter;
import poot.backend.vulkan.spirv.SpirvTarget;
import poot.backend.vulkan.spirv.SpirvVal;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.Device;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.Grid;
import poot.core.kernel.device.Launch;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Param;

/** A Vulkan device beside the interpreter: both run the same kernel over the same bytes. */
final class Twin implements AutoCloseable {
    private static final List<SpirvTarget> TARGETS = List.of(new SpirvTarget(true, true, true, false, 256),
            new SpirvTarget(false, false, false, true, 8));

    private final VulkanDevice device;
    private int validated;

    Twin(VulkanDevice device) {
        this.device = device;
    }

    VulkanDevice device() {
        return device;
    }

    int subgroup() {
        return device.limits().subgroup();
    }

    /** Modules that were validated. */
    int validated() {
        return validated;
    }

    /** What is in every buffer after a run on each. */
    record Results(List<int[]> expected, List<int[]> found) {}

    /** A parameter's content: a buffer's words, or a scalar of one. */
    static int[] words(int... words) {
        return words;
    }

    /** Runs a kernel over copies of {@code contents}, one for each parameter. */
    Results run(DeviceKernel kernel, Grid grid, int[]... contents) throws ExecutorException {
        for (SpirvTarget target : TARGETS) {
            SpirvVal.check(kernel.name(), SpirvEmitter.emit(kernel, target).words());
            validated++;
        }
        List<int[]> expected;
        try (InterpretedDevice interpreter = InterpretedDevice.of(kernel.subgroup(), Fresh.ZEROED)) {
            expected = run(interpreter, kernel, grid, contents);
        }
        return new Results(expected, run(device, kernel, grid, contents));
    }

    private static List<int[]> run(Device device, DeviceKernel kernel, Grid grid, int[][] contents) throws ExecutorException {
        List<Argument> arguments = new ArrayList<>();
        List<DeviceBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < contents.length; i++) {
            Param p = kernel.params().get(i);
            if (p instanceof Param.Buffer) {
                DeviceBuffer buffer = device.allocate(p.name(), 4L * contents[i].length);
                device.upload(buffer, 0, MemorySegment.ofArray(contents[i]));
                buffers.add(buffer);
                arguments.add(Argument.of(buffer));
            } else {
                arguments.add(switch ((poot.core.kernel.ir.ScalarType) p.reg().type()) {
                    case F32 -> Argument.f32(Float.intBitsToFloat(contents[i][0]));
                    case I32 -> Argument.i32(contents[i][0]);
                    default -> Argument.u32(contents[i][0]);
                });
            }
        }
        try (var recording = device.record(List.of(new Launch(device.compile(kernel), arguments, grid, false)))) {
            recording.run();
        }
        List<int[]> out = new ArrayList<>();
        for (DeviceBuffer buffer : buffers) {
            MemorySegment words = MemorySegment.ofArray(new int[Math.toIntExact(buffer.bytes() / 4)]);
            device.download(buffer, 0, words);
            out.add(words.toArray(ValueLayout.JAVA_INT));
            buffer.close();
        }
        return out;
    }

    /** Runs a kernel on both and requires the same bits in every buffer. */
    void same(DeviceKernel kernel, Grid grid, int[]... contents) throws ExecutorException {
        Results r = run(kernel, grid, contents);
        for (int b = 0; b < r.expected.size(); b++) {
            for (int i = 0; i < r.expected.get(b).length; i++) {
                int buffer = b;
                int at = i;
                assertEquals(Integer.toHexString(r.expected.get(b)[i]), Integer.toHexString(r.found.get(b)[i]),
                        () -> kernel.name() + ", buffer " + buffer + ", word " + at + "\n" + kernel);
            }
        }
    }

    /** Closes the device, of which the validation layer must have said nothing. */
    @Override
    public void close() {
        assertTrue(device.isOpen());
        Opened.close(device);
    }
}
