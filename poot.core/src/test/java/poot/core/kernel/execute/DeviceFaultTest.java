package poot.core.kernel.execute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.DeviceFailed;
import poot.api.executor.ExecutorException.ExecutorFault;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.executor.Program;
import poot.api.executor.States;
import poot.api.graph.Builder;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.core.compile.CompileOptions;
import poot.core.compile.Compiler;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.CompiledKernel;
import poot.core.kernel.device.Device;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.HostBuffer;
import poot.core.kernel.device.Recording;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.quant.QuantFormats;

/** Wherever a device's memory runs out or it fails, what was made before goes back to it, and where it works again a second try does. */
class DeviceFaultTest {
    private static final long MEMORY = 1 << 20;
    private static final TensorType STATE = TensorType.of(ElementType.F32, 2, 4);
    private static final Role WEIGHT = Role.of("weight");
    private static final Role OTHER = Role.of("other");

    /** How a call fails. */
    enum Way {
        MEMORY,
        DEVICE;

        ExecutorFault fault(String what) {
            return this == MEMORY ? new OutOfMemory(what, 1) : new DeviceFailed("small", what);
        }
    }

    /** A device of which one call fails. */
    private static final class Faulty implements Device {
        private final Device real;
        private final Way way;
        private int left;
        private int recordings;

        Faulty(Device real, Way way) {
            this.real = real;
            this.way = way;
        }

        private void call(String what) throws ExecutorException {
            if (left > 0 && --left == 0) {
                throw new ExecutorException(way.fault(what));
            }
        }

        @Override
        public DeviceLimits limits() {
            return real.limits();
        }

        @Override
        public DeviceBuffer allocate(String what, long bytes) throws ExecutorException {
            call(what);
            return real.allocate(what, bytes);
        }

        @Override
        public HostBuffer allocateHost(String what, long bytes) throws ExecutorException {
            call(what);
            return real.allocateHost(what, bytes);
        }

        @Override
        public void upload(DeviceBuffer to, long offset, MemorySegment from) throws ExecutorException {
            call("an upload");
            real.upload(to, offset, from);
        }

        @Override
        public void download(DeviceBuffer from, long offset, MemorySegment to) throws ExecutorException {
            call("a download");
            real.download(from, offset, to);
        }

        @Override
        public CompiledKernel compile(DeviceKernel kernel) throws ExecutorException {
            call("a kernel");
            return real.compile(kernel);
        }

        @Override
        public Recording record(List<Command> commands) throws ExecutorException {
            call("a recording");
            Recording r = real.record(commands);
            recordings++;
            return new Recording() {
                private boolean closed;

                @Override
                public void run() throws ExecutorException {
                    call("a run");
                    r.run();
                }

                @Override
                public void close() {
                    recordings -= closed ? 0 : 1;
                    closed = true;
                    r.close();
                }
            };
        }

        @Override
        public void close() {
            real.close();
        }
    }

    /** state' = state + x times a weight, with a literal; a second weight is of a format that has a book of codes. */
    private static Program program(DeviceExecutor executor, Map<Role, Weight> weights) throws Exception {
        Builder b = Builder.with(TraceLimits.DEFAULT);
        Value s = b.state("s", STATE);
        Value x = b.slot("x", STATE);
        Value sum = b.add(s, b.matMulTransposed(x, b.weight(WEIGHT, 4, 4)));
        b.carry("s", s, sum);
        b.output("sum", b.mul(sum, b.scalar(2f)));
        b.output("other", b.matMulTransposed(b.slot("y", TensorType.of(ElementType.F32, 1, 256)), b.weight(OTHER, 1, 256)));
        return Compiler.compile(b.finish(), weights, executor.target(), CompileOptions.VERIFIED);
    }

    private static Map<Role, Weight> weights() {
        float[] unit = new float[16];
        for (int i = 0; i < 4; i++) {
            unit[5 * i] = 1;
        }
        return Map.of(WEIGHT, Weight.whole("w", QuantFormats.of(Encoding.F32), Shape.of(4, 4), List.of(MemorySegment.ofArray(unit))),
                OTHER, Weight.whole("o", QuantFormats.of(Encoding.IQ2_XXS), Shape.of(1, 256),
                        List.of(MemorySegment.ofArray(new byte[Encoding.IQ2_XXS.blockBytes()]))));
    }

    private static void use(DeviceExecutor executor) throws Exception {
        Map<Role, Weight> weights = weights();
        Program program = program(executor, weights);
        try (Executable e = executor.load(weights); Entry entry = e.addEntry(program); States states = e.allocate(Map.of("s", STATE))) {
            entry.input("x").copyFrom(MemorySegment.ofArray(new float[] {1, 2, 3, 4, 5, 6, 7, 8}));
            entry.run(states);
            entry.run(states);
            assertArrayEquals(new float[] {4, 8, 12, 16, 20, 24, 28, 32}, entry.output("sum").toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));
            states.copy("s", 0, 1, 1);
            states.clear("s", 0, 1);
            assertArrayEquals(new float[] {0, 0, 0, 0, 2, 4, 6, 8}, states.read("s").toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyCallMayFail(Way way) throws Exception {
        InterpretedDevice real = new InterpretedDevice(new DeviceLimits("small", "a small device", 8, 8, 8, 256, 65_535, 65_535, 1 << 15,
                MEMORY, MEMORY, 1, true, Set.of()), Fresh.ZEROED);
        Faulty device = new Faulty(real, way);
        try (DeviceExecutor executor = new DeviceExecutor(device)) {
            int call = 1;
            for (;; call++) {
                device.left = call;
                if (passes(executor, way)) {
                    break;
                }
                assertEquals(MEMORY, real.memory().orElseThrow().free(), "free after call " + call + " failed");
                assertEquals(0, device.recordings, "recordings after call " + call + " failed");
                use(executor);
            }
            assertTrue(call > 25, call + " calls");
        }
    }

    private static boolean passes(DeviceExecutor executor, Way way) throws Exception {
        try {
            use(executor);
            return true;
        } catch (ExecutorException e) {
            assertEquals(way.fault("").getClass(), e.fault().getClass(), e.toString());
            return false;
        }
    }
}
