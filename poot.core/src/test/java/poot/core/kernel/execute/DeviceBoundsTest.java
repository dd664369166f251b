package poot.core.kernel.execute;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.DeviceFailed;
import poot.api.executor.ExecutorException.ExecutorFault;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.executor.ExecutorException.Unsupported;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.MemoryLeft;
import poot.api.executor.Program;
import poot.api.executor.Residency;
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
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;
import poot.core.quant.QuantFormats;

/** What a device does not have, or no longer: options, memory, itself. */
class DeviceBoundsTest {
    private static final long MEMORY = 1 << 16;

    private static InterpretedDevice small() {
        return new InterpretedDevice(new DeviceLimits("small", "a small device", 8, 8, 8, 256, 65_535, 65_535, 1 << 15, MEMORY, MEMORY, 1,
                true, Set.of()), Fresh.ZEROED);
    }

    private static <T extends ExecutorFault> T fault(Class<T> type, org.junit.jupiter.api.function.Executable call) {
        return assertInstanceOf(type, assertThrows(ExecutorException.class, call).fault());
    }

    /** state' = state + x, of n elements. */
    private static Program steps(DeviceExecutor executor, int n) throws Exception {
        Builder b = Builder.with(TraceLimits.DEFAULT);
        TensorType type = TensorType.of(ElementType.F32, n);
        Value s = b.state("s", type);
        Value x = b.slot("x", type);
        b.carry("s", s, b.add(s, x));
        b.output("sum", b.sum(b.mul(s, x), 0));
        return Compiler.compile(b.finish(), Map.of(), executor.target(), CompileOptions.VERIFIED);
    }

    @Test
    void anOptionThatADeviceCannotMeetIsNamed() {
        Unsupported threads = fault(Unsupported.class, () -> DeviceExecutor.require("vulkan", new ExecutorOptions(3)));
        assertEquals("backend vulkan cannot run 3 worker threads: a device has threads of its own; leave threads out (0), or use the backend cpu",
                threads.message());
        Unsupported mapped = fault(Unsupported.class,
                () -> DeviceExecutor.require("cuda", ExecutorOptions.DEFAULT.withWeights(Residency.MAPPED)));
        assertTrue(mapped.message().startsWith("backend cuda cannot run weights MAPPED: a device reads copies"), mapped.message());
        assertDoesNotThrow(() -> DeviceExecutor.require("cuda", ExecutorOptions.DEFAULT));
        assertDoesNotThrow(() -> DeviceExecutor.require("cuda", ExecutorOptions.DEFAULT.withWeights(Residency.COPIED)));
    }

    @Test
    void weightsThatDoNotFitAreRefusedBeforeAnyIsMoved() {
        InterpretedDevice device = small();
        try (DeviceExecutor executor = new DeviceExecutor(device)) {
            float[] rows = new float[(int) MEMORY / 8];
            Map<Role, Weight> weights = Map.of(Role.of("a"), weight(rows.clone()), Role.of("b"), weight(rows.clone()), Role.of("c"), weight(rows));
            OutOfMemory f = fault(OutOfMemory.class, () -> executor.load(weights));
            assertEquals(new OutOfMemory("the weights", MEMORY / 2 * 3, Optional.of(new MemoryLeft("a small device", MEMORY, MEMORY))), f);
            assertTrue(f.message().startsWith("not enough memory for the weights: 96.0 KiB (98304 bytes), 64.0 KiB of the 64.0 KiB of a small"
                    + " device are free; less is taken by a shorter context"), f.message());
            assertEquals(MEMORY, device.memory().orElseThrow().free());
        }
    }

    private static Weight weight(float[] values) {
        return Weight.whole("w", QuantFormats.of(Encoding.F32), Shape.of(1, values.length), List.of(MemorySegment.ofArray(values)));
    }

    @Test
    void whatAStepLacksMemoryForIsSaid() throws Exception {
        InterpretedDevice device = small();
        try (DeviceExecutor executor = new DeviceExecutor(device); Executable e = executor.load(Map.of(Role.of("a"), weight(new float[1000])))) {
            assertEquals(4000, e.weightBytes());
            assertEquals(MEMORY - 4000, e.memory().orElseThrow().free());
            Program program = steps(executor, (int) MEMORY / 8);
            OutOfMemory f = fault(OutOfMemory.class, () -> e.addEntry(program));
            assertTrue(f.what().matches("the (values|inputs|outputs) .*of? ?a step.*|the values that a step computes"), f.what());
            assertEquals("a small device", f.memory().orElseThrow().place());
            assertEquals(MEMORY - 4000, device.memory().orElseThrow().free(), "what was allocated before it is given back");
            OutOfMemory g = fault(OutOfMemory.class, () -> e.allocate(Map.of("layers.0.key", TensorType.of(ElementType.F16, 1 << 20))));
            assertTrue(g.what().startsWith("state layers.0.key"), g.what());
            assertEquals(e.weightBytes(), e.residentBytes());
        }
    }

    /** Several threads run while another closes: each run is whole or refused. */
    @Test
    @Timeout(60)
    void closingWaitsForWhatRuns() throws Exception {
        DeviceExecutor executor = new DeviceExecutor(InterpretedDevice.of(8, Fresh.UNDEFINED));
        Executable e = executor.load(Map.of());
        Program program = steps(executor, 64);
        CountDownLatch running = new CountDownLatch(3);
        try (var threads = Executors.newFixedThreadPool(3)) {
            List<Future<ExecutorFault>> ends = new java.util.ArrayList<>();
            for (int t = 0; t < 3; t++) {
                Entry entry = e.addEntry(program);
                States states = e.allocate(Map.of("s", TensorType.of(ElementType.F32, 64)));
                ends.add(threads.submit(() -> {
                    while (true) {
                        try {
                            entry.run(states);
                            running.countDown();
                        } catch (ExecutorException x) {
                            return x.fault();
                        }
                    }
                }));
            }
            running.await();
            e.close();
            executor.close();
            for (Future<ExecutorFault> end : ends) {
                ExecutorFault f = end.get();
                assertTrue(f instanceof Mismatch || f instanceof DeviceFailed, f.message());
            }
        }
    }
}
