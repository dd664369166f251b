package poot.core.kernel.execute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.ExecutorException;
import poot.api.executor.Program;
import poot.api.executor.States;
import poot.api.graph.Builder;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Graph;
import poot.api.graph.LiteralData;
import poot.api.graph.Op;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.core.compile.CompileOptions;
import poot.core.compile.Compiler;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;
import poot.core.quant.QuantFormats;

/** The executor over an interpreted device: validations, states, weights, and what it refuses. */
class DeviceExecutorTest {
    private static final Role WEIGHT = Role.of("weight");
    private static final Role OTHER = Role.of("other");

    private final InterpretedDevice device = InterpretedDevice.of(8, Fresh.UNDEFINED);
    private final DeviceExecutor executor = new DeviceExecutor(device);

    @AfterEach
    void close() {
        executor.close();
    }

    private Program compiled(Graph g, Map<Role, Weight> weights) throws Exception {
        return Compiler.compile(g, weights, executor.target(), CompileOptions.VERIFIED);
    }

    private static float[] floats(MemorySegment s) {
        return s.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
    }

    @Test
    void aBrokenValidationNamesItsRows() throws Exception {
        Builder b = Builder.with(TraceLimits.DEFAULT);
        Value x = b.slot("x", TensorType.of(ElementType.F32, 5));
        b.output("twice", b.add(x, x));
        b.validate("x is small", b.compare(Op.CompareKind.LT, x, b.scalar(10f)));
        try (Executable e = executor.load(Map.of()); Entry entry = e.addEntry(compiled(b.finish(), Map.of())); States none = e.allocate(Map.of())) {
            entry.input("x").copyFrom(MemorySegment.ofArray(new float[] {1, 2, 3, 4, 5}));
            entry.run(none);
            assertArrayEquals(new float[] {2, 4, 6, 8, 10}, floats(entry.output("twice")));
            entry.input("x").copyFrom(MemorySegment.ofArray(new float[] {1, 20, 3, Float.NaN, 5}));
            ExecutorException thrown = assertThrows(ExecutorException.class, () -> entry.run(none));
            assertEquals(new ExecutorException.Invalid("x is small", List.of(1, 3)), thrown.fault());
        }
    }

    /** state' = state + x, in rows of 3 bytes where it is of truth values. */
    @Test
    void statesAreCarriedCopiedAndCleared() throws Exception {
        TensorType type = TensorType.of(ElementType.F16, 6, 3);
        Builder b = Builder.with(TraceLimits.DEFAULT);
        Value s = b.state("s", type);
        Value wide = b.cast(s, ElementType.F32);
        b.carry("s", s, b.cast(b.add(wide, 1f), ElementType.F16));
        b.output("before", wide);
        try (Executable e = executor.load(Map.of()); Entry entry = e.addEntry(compiled(b.finish(), Map.of()));
                States states = e.allocate(Map.of("s", type)); States others = e.allocate(Map.of("s", type))) {
            entry.run(states);
            entry.run(states);
            entry.run(others);
            assertEquals(0, floats(entry.output("before"))[17]);
            assertEquals(2, half(states, 17));
            assertEquals(1, half(others, 17));
            short[] units = new short[18];
            for (int i = 0; i < 18; i++) {
                units[i] = Float.floatToFloat16(i / 3);
            }
            states.write("s", 0, MemorySegment.ofArray(units));
            states.copy("s", 0, 1, 5);
            assertEquals(List.of(0f, 0f, 1f, 2f, 3f, 4f), rows(states));
            states.copy("s", 2, 1, 4);
            assertEquals(List.of(0f, 1f, 2f, 3f, 4f, 4f), rows(states));
            states.clear("s", 1, 4);
            assertEquals(List.of(0f, 0f, 0f, 0f, 4f, 4f), rows(states));
            assertThrows(ExecutorException.class, () -> states.copy("s", 2, 3, 4));
            assertThrows(ExecutorException.class, () -> states.clear("s", 3, 7));
            assertThrows(ExecutorException.class, () -> states.write("s", 6, MemorySegment.ofArray(new byte[1])));
            assertThrows(ExecutorException.class, () -> states.read("t"));
        }
    }

    private static float half(States s, int i) throws ExecutorException {
        return Float.float16ToFloat(s.read("s").get(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * i));
    }

    private static List<Float> rows(States s) throws ExecutorException {
        return List.of(half(s, 0), half(s, 3), half(s, 6), half(s, 9), half(s, 12), half(s, 15));
    }

    private static Weight weight(MemorySegment bytes, int rows, int columns) {
        return Weight.whole("w", QuantFormats.of(Encoding.F32), Shape.of(rows, columns), List.of(bytes));
    }

    @Test
    void aPartThatTwoWeightsShareIsUploadedOnce() throws Exception {
        MemorySegment bytes = MemorySegment.ofArray(new float[] {1, 2, 3, 4, 5, 6, 7, 8});
        Weight all = weight(bytes, 4, 2);
        try (DeviceWeights w = DeviceWeights.upload(device, Map.of(WEIGHT, all.rows(0, 2), OTHER, all.rows(2, 4)))) {
            assertEquals(w.byRole().get(WEIGHT).parts(), w.byRole().get(OTHER).parts());
            assertEquals(16, w.byRole().get(OTHER).dense().offset());
        }
    }

    @Test
    void aWeightIsReadWhereItsRowsBegin() throws Exception {
        Weight all = weight(MemorySegment.ofArray(new float[] {1, 2, 3, 4, 5, 6, 7, 8}), 4, 2);
        Map<Role, Weight> weights = Map.of(WEIGHT, all.rows(1, 3));
        Builder b = Builder.with(TraceLimits.DEFAULT);
        Value x = b.slot("x", TensorType.of(ElementType.F32, 1, 2));
        Value w = b.weight(WEIGHT, 2, 2);
        b.output("product", b.matMulTransposed(x, w));
        b.output("row", b.gather(w, b.literal(LiteralData.words(ElementType.I32, Shape.of(2), 1, 5))));
        try (Executable e = executor.load(weights); Entry entry = e.addEntry(compiled(b.finish(), weights)); States none = e.allocate(Map.of())) {
            entry.input("x").copyFrom(MemorySegment.ofArray(new float[] {10, 1}));
            entry.run(none);
            assertArrayEquals(new float[] {34, 56}, floats(entry.output("product")));
            assertArrayEquals(new float[] {5, 6, 0, 0}, floats(entry.output("row")));
        }
    }

    /** Experts 2, none and 0 of three, each [2, 32], as their format defines them. */
    @Test
    void packedMatricesAreGatheredWhole() throws Exception {
        byte[] blocks = new byte[6 * 34];
        new Random(3).nextBytes(blocks);
        for (int b = 0; b < blocks.length; b += 34) {
            blocks[b] = 0;
            blocks[b + 1] = (byte) (0x3c - b / 34); // a scale of 1 and below
        }
        Weight w = Weight.whole("experts", QuantFormats.of(Encoding.Q8_0), Shape.of(3, 2, 32), List.of(MemorySegment.ofArray(blocks)));
        Map<Role, Weight> weights = Map.of(WEIGHT, w);
        Builder b = Builder.with(TraceLimits.DEFAULT);
        b.output("experts", b.gather(b.weight(WEIGHT, 3, 2, 32), b.slot("which", TensorType.of(ElementType.I32, 3))));
        float[] expected = new float[3 * 64];
        for (int row = 0; row < 2; row++) {
            w.decode(4 + row, 0, 32, expected, 32 * row);
            w.decode(row, 0, 32, expected, 128 + 32 * row);
        }
        try (Executable e = executor.load(weights); Entry entry = e.addEntry(compiled(b.finish(), weights)); States none = e.allocate(Map.of())) {
            entry.input("which").copyFrom(MemorySegment.ofArray(new int[] {2, -1, 0}));
            entry.run(none);
            assertArrayEquals(expected, floats(entry.output("experts")));
        }
    }

    @Test
    void aWeightShorterThanItClaimsIsRefused() {
        Weight w = weight(MemorySegment.ofArray(new float[] {1, 2, 3}), 2, 2);
        ExecutorException thrown = assertThrows(ExecutorException.class, () -> executor.load(Map.of(WEIGHT, w)));
        assertInstanceOf(ExecutorException.Mismatch.class, thrown.fault());
        assertTrue(thrown.getMessage().contains("2 rows of 8 bytes") && thrown.getMessage().contains("12 bytes"), thrown.getMessage());
    }

    @Test
    void whatDoesNotFitIsRefused() throws Exception {
        TensorType type = TensorType.of(ElementType.F32, 2);
        Builder b = Builder.with(TraceLimits.DEFAULT);
        Value s = b.state("s", type);
        b.carry("s", s, b.add(s, 1f));
        Program p = compiled(b.finish(), Map.of());
        Executable e = executor.load(Map.of());
        Entry entry = e.addEntry(p);
        assertThrows(ExecutorException.class, () -> entry.run(e.allocate(Map.of())));
        assertThrows(ExecutorException.class, () -> entry.run(e.allocate(Map.of("s", TensorType.of(ElementType.F32, 3)))));
        try (Executable other = executor.load(Map.of()); States foreign = other.allocate(Map.of("s", type))) {
            assertThrows(ExecutorException.class, () -> entry.run(foreign));
        }
        assertTrue(e.residentBytes() > 0);
        States own = e.allocate(Map.of("s", type));
        entry.run(own);
        e.close();
        assertEquals(0, e.residentBytes());
        assertThrows(ExecutorException.class, () -> entry.run(own));
        assertThrows(ExecutorException.class, () -> own.read("s"));
        assertThrows(ExecutorException.class, () -> e.addEntry(p));
    }
}
