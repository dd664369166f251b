package poot.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import poot.api.driver.DriverOptions;
import poot.api.driver.HeadKind;
import poot.api.driver.Preparation;
import poot.api.driver.PrepareFault;
import poot.api.driver.ServingDriver;
import poot.api.driver.UnpreparedDriver;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.graph.Builder;
import poot.api.graph.ElementType;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.model.Model;
import poot.api.model.ModelConfig;
import poot.api.model.ModelSchema;
import poot.api.model.StepSpec;
import poot.api.model.WeightMap;
import poot.core.compile.CompileException;
import poot.core.compile.CompileOptions;
import poot.core.compile.Compiler;
import poot.core.driver.Driver;
import poot.core.driver.ModelHandle;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.execute.DeviceExecutor;
import poot.matrix.PaperDevice;

/** What a device cannot run is refused before anything runs, with the equation and what is missing; the driver comes back. */
class DeviceRefusalTest {
    private static final int WIDE = 1 << 16;
    private static final DriverOptions OPTIONS = DriverOptions.DEFAULT.withRows(1).withCapacity(16).withPrefillChunk(2)
            .withHeads(EnumSet.of(HeadKind.GREEDY)).withLogprobs(0);

    private static Executor device(int sharedBytes) {
        return new DeviceExecutor(new PaperDevice(new DeviceLimits("paper", "a device on paper", 8, 8, 8, 256, 65_535, 65_535, sharedBytes,
                1L << 30, 1L << 30, 1, true, Set.of())));
    }

    /** The toy model with one value more, of 2^32 elements. */
    private record TooWide(ToyModel inner) implements Model {
        @Override
        public ModelConfig config() {
            return inner.config();
        }

        @Override
        public ModelSchema schema() {
            return inner.schema();
        }

        @Override
        public WeightMap weights() {
            return inner.weights();
        }

        @Override
        public Graph traceInto(StepSpec spec, Builder b) throws TraceException {
            Graph g = inner.traceInto(spec, b);
            Value logits = g.outputs().getFirst().value();
            Shape wide = Shape.of(WIDE, WIDE);
            Value row = new Value(g.valueBound(), logits.type().with(logits.shape().with(0, 1)));
            Value one = new Value(g.valueBound() + 1, TensorType.of(ElementType.F32, 1, 1));
            Value all = new Value(g.valueBound() + 2, new TensorType(ElementType.F32, wide));
            Value sums = new Value(g.valueBound() + 3, TensorType.of(ElementType.F32, WIDE, 1));
            List<Equation> equations = new ArrayList<>(g.equations());
            equations.add(new Equation(new Op.Slice(0, 0, 1), List.of(logits), List.of(row), "far"));
            equations.add(new Equation(new Op.Reduce(Op.ReduceKind.SUM, 1), List.of(row), List.of(one), "far"));
            equations.add(new Equation(new Op.Broadcast(wide), List.of(one), List.of(all), "far"));
            equations.add(new Equation(new Op.Reduce(Op.ReduceKind.SUM, 1), List.of(all), List.of(sums), "far"));
            List<Graph.Output> outputs = new ArrayList<>(g.outputs());
            outputs.add(new Graph.Output("sums", sums));
            return new Graph(equations, outputs, g.states(), g.validations());
        }
    }

    @Test
    void theTargetNamesTheEquationAndTheCapability() throws Exception {
        Builder b = Builder.with(TraceLimits.DEFAULT);
        Value x = b.slot("x", TensorType.of(ElementType.F32, 1, 1));
        b.output("sums", b.sum(b.broadcast(x, Shape.of(WIDE, WIDE)), 1));
        Graph graph = b.finish();
        try (Executor executor = device(1 << 15)) {
            CompileException e = assertThrows(CompileException.class,
                    () -> Compiler.compile(graph, Map.of(), executor.target(), CompileOptions.VERIFIED));
            CompileException.Refused r = assertInstanceOf(CompileException.Refused.class, e.fault());
            assertEquals("paper", r.target());
            assertTrue(r.equation().contains("Broadcast") && r.equation().contains("[65536, 65536]"), r.equation());
            assertEquals("values of more than 2^31 elements", r.capability());
        }
    }

    @Test
    void aDriverComesBackFromWhatTheTargetRefuses() throws Exception {
        try (Executor executor = device(1 << 15); ModelHandle handle = ModelHandle.of(new TooWide(ToyModel.plain()), ToyModel.store())) {
            PrepareFault.Uncompilable fault = assertInstanceOf(PrepareFault.Uncompilable.class, refused(handle, executor));
            CompileException.Refused r = assertInstanceOf(CompileException.Refused.class, fault.fault());
            assertTrue(r.equation().contains("Broadcast"), r.equation());
            assertEquals("far", r.scope());
            assertEquals("values of more than 2^31 elements", r.capability());
            sound(executor);
        }
    }

    @Test
    void aDriverComesBackFromWhatTheLimitsRefuse() throws Exception {
        try (Executor none = device(0); ModelHandle handle = ModelHandle.of(ToyModel.plain(), ToyModel.store())) {
            PrepareFault.Device fault = assertInstanceOf(PrepareFault.Device.class, refused(handle, none));
            ExecutorException.Unsupported u = assertInstanceOf(ExecutorException.Unsupported.class, fault.fault());
            assertEquals("paper", u.backend());
            assertTrue(u.equation().startsWith("%"), u.equation());
            assertTrue(u.capability().matches("kernel \\w+: \\d+ bytes of shared memory, the device has 0"), u.capability());
        }
        try (Executor enough = device(1 << 15)) {
            sound(enough);
        }
    }

    /** A cache that the device has no room for is refused before it is allocated, with what there is and what takes less. */
    @Test
    void aCacheThatDoesNotFitTheDeviceIsRefused() throws Exception {
        try (Executor executor = device(1 << 15); ModelHandle handle = ModelHandle.of(ToyModel.plain(), ToyModel.store())) {
            DriverOptions large = OPTIONS.withPool(1 << 22, 16, false);
            UnpreparedDriver driver = Driver.over(handle, executor, large);
            PrepareFault.Device fault = assertInstanceOf(PrepareFault.Device.class,
                    assertInstanceOf(Preparation.Refused.class, driver.prepare()).fault());
            OutOfMemory f = assertInstanceOf(OutOfMemory.class, fault.fault());
            assertTrue(f.bytes() > 1L << 30 && f.what().startsWith("the cache and other states ("), f.message());
            assertEquals("a device on paper", f.memory().orElseThrow().place());
            assertTrue(f.message().contains("1.0 GiB of the 1.0 GiB of a device on paper are free; less is taken by a shorter context"), f.message());
            driver.close();
        }
    }

    /** Copies of weights on a device are no entries and no states: a bound on these does not count them. */
    @Test
    void weightsOnADeviceAreNotCountedAgainstTheBounds() throws Exception {
        assertEquals(DriverOptions.Bounds.ALL_THERE_IS, DriverOptions.DEFAULT.bounds().retainedBytes());
        try (Executor executor = device(1 << 15); ModelHandle handle = ModelHandle.of(ToyModel.plain(), ToyModel.store())) {
            long weights = handle.weights().values().stream().flatMap(w -> w.parts().stream()).distinct().mapToLong(MemorySegment::byteSize).sum();
            long all;
            try (ServingDriver d = Driver.over(handle, executor, OPTIONS).prepare().orElseThrow()) {
                all = d.retainedBytes();
            }
            assertTrue(all > weights, all + " bytes with weights of " + weights);
            Driver.over(handle, executor, bounded(all - weights / 2)).prepare().orElseThrow().close();
            UnpreparedDriver driver = Driver.over(handle, executor, bounded(100));
            assertInstanceOf(PrepareFault.TooManyBytes.class, assertInstanceOf(Preparation.Refused.class, driver.prepare()).fault());
            driver.close();
        }
    }

    private static DriverOptions bounded(long bytes) {
        return OPTIONS.withBounds(new DriverOptions.Bounds(256, bytes, TraceLimits.DEFAULT));
    }

    /** The fault of a preparation that is refused twice, the driver coming back as it was. */
    private static PrepareFault refused(ModelHandle handle, Executor executor) {
        UnpreparedDriver driver = Driver.over(handle, executor, OPTIONS);
        Preparation.Refused first = assertInstanceOf(Preparation.Refused.class, driver.prepare());
        assertSame(driver, first.driver());
        assertEquals(OPTIONS, first.driver().options());
        Preparation.Refused again = assertInstanceOf(Preparation.Refused.class, first.driver().prepare());
        assertEquals(first.fault().message(), again.fault().message());
        again.driver().close();
        return first.fault();
    }

    /** The same executor prepares what it can run. */
    private static void sound(Executor executor) throws Exception {
        try (ModelHandle handle = ModelHandle.of(ToyModel.plain(), ToyModel.store())) {
            Driver.over(handle, executor, OPTIONS).prepare().orElseThrow().close();
        }
    }
}
