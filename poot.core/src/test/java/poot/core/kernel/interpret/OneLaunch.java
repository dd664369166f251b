package poot.core.kernel.interpret;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import poot.api.executor.ExecutorException;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.Grid;
import poot.core.kernel.device.Launch;
import poot.core.kernel.device.Recording;
import poot.core.kernel.ir.Capability;
import poot.core.kernel.ir.KernelBuilder;

/** One kernel and its arguments, run once on an interpreted device. */
final class OneLaunch implements AutoCloseable {
    private final InterpretedDevice device;
    private final KernelBuilder builder;
    private final List<Argument> arguments = new ArrayList<>();

    OneLaunch(int workgroup, int subgroup, Consumer<KernelBuilder> body) {
        device = InterpretedDevice.of(subgroup, Fresh.UNDEFINED, Capability.values());
        builder = new KernelBuilder("k", workgroup, subgroup);
        body.accept(builder);
    }

    /** Memory that nothing has written. */
    DeviceBuffer buffer(String what, long bytes) throws ExecutorException {
        DeviceBuffer out = device.allocate(what, bytes);
        arguments.add(Argument.of(out));
        return out;
    }

    DeviceBuffer floats(String what, float... values) throws ExecutorException {
        DeviceBuffer out = buffer(what, 4L * values.length);
        device.upload(out, 0, MemorySegment.ofArray(values));
        return out;
    }

    DeviceBuffer ints(String what, int... values) throws ExecutorException {
        DeviceBuffer out = buffer(what, 4L * values.length);
        device.upload(out, 0, MemorySegment.ofArray(values));
        return out;
    }

    OneLaunch u32(int value) {
        arguments.add(Argument.u32(value));
        return this;
    }

    OneLaunch f32(float value) {
        arguments.add(Argument.f32(value));
        return this;
    }

    void run(int workgroups) throws ExecutorException {
        try (Recording r = device.record(List.of(new Launch(device.compile(builder.build()), arguments, Grid.of(workgroups), true)))) {
            r.run();
        }
    }

    /** The fault of a run, or null where it had none. */
    KernelFault fault(int workgroups) throws ExecutorException {
        try {
            run(workgroups);
            return null;
        } catch (ExecutorException e) {
            if (e.getCause() instanceof KernelFaultException f) {
                return f.fault();
            }
            throw e;
        }
    }

    float[] floats(DeviceBuffer from) throws ExecutorException {
        return download(from).toArray(ValueLayout.JAVA_FLOAT);
    }

    int[] ints(DeviceBuffer from) throws ExecutorException {
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
