package poot.core.kernel.generate;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import poot.api.executor.ExecutorException;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.device.Launch;
import poot.core.kernel.device.Recording;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;

/** Generated kernels run one after another on an interpreted device, whose memory nobody has written. */
public final class KernelRun implements AutoCloseable {
    private final InterpretedDevice device;

    /** With subgroups of one size. */
    public KernelRun(int subgroup) {
        device = InterpretedDevice.of(subgroup, Fresh.UNDEFINED);
    }

    /** What the device has. */
    public DeviceLimits limits() {
        return device.limits();
    }

    /** Memory that nothing has written. */
    public DeviceBuffer empty(String what, long bytes) throws ExecutorException {
        return device.allocate(what, Math.max(bytes, 1));
    }

    /** Memory with elements of an array of float, int, short or byte. */
    public DeviceBuffer of(String what, MemorySegment elements) throws ExecutorException {
        DeviceBuffer out = empty(what, elements.byteSize());
        device.upload(out, 0, elements);
        return out;
    }

    /** F32 elements. */
    public DeviceBuffer floats(String what, float... values) throws ExecutorException {
        return of(what, MemorySegment.ofArray(values));
    }

    /** I32 or U32 elements. */
    public DeviceBuffer ints(String what, int... values) throws ExecutorException {
        return of(what, MemorySegment.ofArray(values));
    }

    /** Runs one kernel. */
    public void run(Generator kernel, Grid grid, List<Argument> arguments) throws ExecutorException {
        try (Recording r = device.record(List.of(new Launch(device.compile(kernel.kernel(device.limits())), arguments, grid, true)))) {
            r.run();
        }
    }

    /** Runs kernels over the memory of an operation's operands and results. */
    public void run(Stages stages, List<DeviceBuffer> operands, List<DeviceBuffer> results) throws ExecutorException {
        List<DeviceBuffer> scratch = new ArrayList<>();
        for (long bytes : stages.scratch()) {
            scratch.add(empty("scratch", bytes));
        }
        for (Stages.Stage s : stages.stages()) {
            run(s.generator(), s.grid(), s.given().stream().map(g -> switch (g) {
                case Stages.Given.Operand o -> Argument.of(operands.get(o.index()));
                case Stages.Given.Result r -> Argument.of(results.get(r.index()));
                case Stages.Given.Scratch m -> Argument.of(scratch.get(m.index()));
                case Stages.Given.Number n -> Argument.u32(n.value());
            }).toList());
        }
        scratch.forEach(DeviceBuffer::close);
    }

    /** F32 elements of memory. */
    public float[] floats(DeviceBuffer from) throws ExecutorException {
        return download(from).toArray(ValueLayout.JAVA_FLOAT);
    }

    /** I32 or U32 elements of memory. */
    public int[] ints(DeviceBuffer from) throws ExecutorException {
        return download(from).toArray(ValueLayout.JAVA_INT);
    }

    private MemorySegment download(DeviceBuffer from) throws ExecutorException {
        MemorySegment out = MemorySegment.ofArray(new int[Math.toIntExact(from.bytes() / 4)]);
        device.download(from, 0, out);
        return out;
    }

    @Override
    public void close() {
        device.close();
    }
}
