package poot.backend.cuda.kernels;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import poot.api.executor.ExecutorException;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.Device;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.device.Launch;
import poot.core.kernel.device.Recording;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;
import poot.core.kernel.ir.Capability;
import poot.core.kernel.ir.DeviceKernel;

/** A kernel with what it is run with. */
public record KernelCase(DeviceKernel kernel, Grid grid, List<Given> given) {
    /** What a parameter is given. */
    public sealed interface Given {}

    /** A number. */
    public record Number(Argument argument) implements Given {}

    /** Memory, with what is in it before, and how what is in it after is compared. */
    public record Memory(String what, MemorySegment before, Compared compared) implements Given {}

    /** How results are compared. */
    public enum Compared {
        /** Every bit. */
        BITS,
        /** F32: every bit, but any NaN is any other. */
        FLOATS,
        /** F32: to a millionth. */
        NEARLY,
        /** F32: to half a millionth of one, or a millionth. */
        LOGARITHMS
    }

    public KernelCase {
        given = List.copyOf(given);
    }

    static Given u32(int value) {
        return new Number(Argument.u32(value));
    }

    static Given f32(float value) {
        return new Number(Argument.f32(value));
    }

    static Given words(int... values) {
        return new Memory("words", MemorySegment.ofArray(values), Compared.BITS);
    }

    static Given floats(float... values) {
        return new Memory("floats", MemorySegment.ofArray(values), Compared.FLOATS);
    }

    /** Room for results, {@code words} times 4 bytes. */
    static Given room(int words, Compared compared) {
        return new Memory("results", MemorySegment.ofArray(new int[words]), compared);
    }

    /** What is in each memory after one run. */
    public List<MemorySegment> run(Device device) throws ExecutorException {
        List<Argument> arguments = new ArrayList<>();
        List<DeviceBuffer> buffers = new ArrayList<>();
        for (Given g : given) {
            switch (g) {
                case Number n -> arguments.add(n.argument());
                case Memory m -> {
                    DeviceBuffer b = device.allocate(m.what(), m.before().byteSize());
                    device.upload(b, 0, m.before());
                    buffers.add(b);
                    arguments.add(Argument.of(b));
                }
            }
        }
        try (Recording r = device.record(List.of(new Launch(device.compile(kernel), arguments, grid, true)))) {
            r.run();
        }
        List<MemorySegment> out = new ArrayList<>();
        for (DeviceBuffer b : buffers) {
            MemorySegment bytes = MemorySegment.ofArray(new int[(int) (b.bytes() + 3) / 4]).asSlice(0, b.bytes());
            device.download(b, 0, bytes);
            out.add(bytes);
            b.close();
        }
        return out;
    }

    /** An interpreter of subgroups of 32, with as much shared memory as a device. */
    public static InterpretedDevice interpreter() {
        return new InterpretedDevice(new DeviceLimits(InterpretedDevice.BACKEND, "interpreter", 32, 32, 32, 1024, Integer.MAX_VALUE, 65_535,
                64 << 10, 1L << 30, 1L << 30, 1, true, Set.of(Capability.values())), Fresh.ZEROED);
    }

    /** Fails where two runs differ. */
    public void compare(List<MemorySegment> expected, List<MemorySegment> actual) {
        List<Memory> memories = given.stream().filter(Memory.class::isInstance).map(Memory.class::cast).toList();
        for (int i = 0; i < memories.size(); i++) {
            MemorySegment e = expected.get(i);
            MemorySegment a = actual.get(i);
            for (long at = 0; at + 4 <= e.byteSize(); at += 4) {
                int x = e.get(ValueLayout.JAVA_INT, at);
                int y = a.get(ValueLayout.JAVA_INT, at);
                if (!same(memories.get(i).compared(), x, y)) {
                    throw new AssertionError(kernel.name() + ", " + memories.get(i).what() + " at byte " + at + ": expected " + Integer.toHexString(x) + " ("
                            + Float.intBitsToFloat(x) + "), got " + Integer.toHexString(y) + " (" + Float.intBitsToFloat(y) + ")\n" + kernel);
                }
            }
        }
    }

    private static boolean same(Compared how, int x, int y) {
        float a = Float.intBitsToFloat(x);
        float b = Float.intBitsToFloat(y);
        return x == y || how != Compared.BITS && (Float.isNaN(a) && Float.isNaN(b))
                || how == Compared.NEARLY && Math.abs(a - b) <= 1e-6f * Math.max(1e-30f, Math.abs(a))
                || how == Compared.LOGARITHMS && Math.abs(a - b) <= 1e-6f * Math.max(0.5f, Math.abs(a));
    }
}
