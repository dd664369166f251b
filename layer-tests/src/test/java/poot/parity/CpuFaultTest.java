package poot.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static poot.api.graph.ElementType.F32;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.DeviceFailed;
import poot.api.executor.ExecutorException.Invalid;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.executor.ExecutorException.Unsupported;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.Program;
import poot.api.executor.States;
import poot.api.graph.Builder;
import poot.api.graph.Encoding;
import poot.api.graph.Op.CompareKind;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.backend.cpu.CpuExecutorProvider;
import poot.core.compile.CompileOptions;
import poot.core.compile.Compiler;
import poot.core.quant.QuantFormats;

/** What the CPU refuses, it refuses with the facts; what is closed gives its memory back. */
class CpuFaultTest {
    private static final Role W = Role.of("w");

    private static Program product(Executor executor, Weight w) throws Exception {
        Builder b = Builder.with(TraceLimits.DEFAULT);
        int n = w.shape().dim(0);
        int k = w.shape().dim(1);
        b.output("y", b.matMulTransposed(b.slot("x", TensorType.of(F32, 1, k)), b.weight(W, n, k)));
        return Compiler.compile(b.finish(), Map.of(W, w), executor.target(), CompileOptions.VERIFIED);
    }

    private static Weight weight(MemorySegment bytes, int n, int k) {
        return Weight.whole("tensor", QuantFormats.of(Encoding.F32), Shape.of(n, k), List.of(bytes));
    }

    private static <T> T fault(Class<T> type, org.junit.jupiter.api.function.Executable body) {
        return assertInstanceOf(type, assertThrows(ExecutorException.class, body).fault());
    }

    @Test
    void weightsThatDoNotFit() throws Exception {
        try (Executor executor = CpuJudge.open(); Arena arena = Arena.ofShared()) {
            Weight w = weight(arena.allocate(64), 2, 8);
            Weight shorter = weight(arena.allocate(60), 2, 8);
            assertTrue(fault(Mismatch.class, () -> executor.load(Map.of(W, shorter))).what().contains("rows of 32 bytes"));
            Program p = product(executor, w);
            try (Executable none = executor.load(Map.of()); Executable other = executor.load(Map.of(W, weight(arena.allocate(64), 8, 2)))) {
                assertTrue(fault(Mismatch.class, () -> none.addEntry(p)).what().contains("weight w"));
                assertTrue(fault(Mismatch.class, () -> other.addEntry(p)).what().contains("tensor"));
            }
            try (Arena confined = Arena.ofConfined()) {
                fault(Mismatch.class, () -> executor.load(Map.of(W, weight(confined.allocate(64), 2, 8))));
            }
        }
    }

    @Test
    void statesThatDoNotFit() throws Exception {
        Builder b = Builder.with(TraceLimits.DEFAULT);
        Value before = b.state("s", TensorType.of(F32, 3, 4));
        b.carry("s", before, b.add(before, 1f));
        try (Executor executor = CpuJudge.open(); Executable executable = executor.load(Map.of())) {
            Program p = Compiler.compile(b.finish(), Map.of(), executor.target(), CompileOptions.VERIFIED);
            Entry entry = executable.addEntry(p);
            States missing = executable.allocate(Map.of());
            States wide = executable.allocate(Map.of("s", TensorType.of(F32, 3, 5)));
            States right = executable.allocate(Map.of("s", TensorType.of(F32, 3, 4)));
            fault(Mismatch.class, () -> entry.run(missing));
            fault(Mismatch.class, () -> entry.run(wide));
            fault(Mismatch.class, () -> right.clear("s", 1, 4));
            fault(Mismatch.class, () -> right.write("s", 2, MemorySegment.ofArray(new byte[17])));
            entry.run(right);
            entry.run(right);
            right.clear("s", 1, 2);
            MemorySegment s = right.read("s");
            assertEquals(2f, s.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0));
            assertEquals(0f, s.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 16));
            assertTrue(executable.residentBytes() > 0);
            entry.close();
            missing.close();
            wide.close();
            right.close();
            assertEquals(0, executable.residentBytes());
            fault(OutOfMemory.class, () -> executable.allocate(Map.of("s", TensorType.of(F32, 1 << 20, 1 << 22))));
        }
    }

    @Test
    void validationsNameTheirRows() throws Exception {
        Builder b = Builder.with(TraceLimits.DEFAULT);
        Value x = b.slot("x", TensorType.of(F32, 4));
        b.output("y", x);
        b.validate("below one", b.compare(CompareKind.LT, x, b.scalar(1f)));
        try (Executor executor = CpuJudge.open(); Executable executable = executor.load(Map.of());
                States states = executable.allocate(Map.of())) {
            Program p = Compiler.compile(b.finish(), Map.of(), executor.target(), CompileOptions.VERIFIED);
            Entry entry = executable.addEntry(p);
            entry.run(states);
            MemorySegment.copy(new float[] {0, 2, Float.NaN, 0.5f}, 0, entry.input("x"), ValueLayout.JAVA_FLOAT, 0, 4);
            assertEquals(new Invalid("below one", List.of(1, 2)), fault(Invalid.class, () -> entry.run(states)));
        }
    }

    @Test
    void unitsFarOutsideOfAStateDoNotWrapAround() throws Exception {
        try (Executor executor = CpuJudge.open(); Executable executable = executor.load(Map.of());
                States states = executable.allocate(Map.of("s", TensorType.of(F32, 4, 4)))) {
            long wraps = 1L << 60;
            fault(Mismatch.class, () -> states.write("s", wraps, MemorySegment.ofArray(new byte[4])));
            fault(Mismatch.class, () -> states.write("s", 4, MemorySegment.ofArray(new byte[4])));
            fault(Mismatch.class, () -> states.write("s", -1, MemorySegment.ofArray(new byte[4])));
            fault(Mismatch.class, () -> states.clear("s", 0, wraps));
            fault(Mismatch.class, () -> states.clear("s", wraps, wraps));
            states.clear("s", 4, 4);
        }
    }

    @Test
    void whatIsClosedTakesNothing() throws Exception {
        Builder b = Builder.with(TraceLimits.DEFAULT);
        b.output("y", b.slot("x", TensorType.of(F32, 4)));
        Executor executor = CpuJudge.open();
        Program p = Compiler.compile(b.finish(), Map.of(), executor.target(), CompileOptions.VERIFIED);
        Executable executable = executor.load(Map.of());
        executable.close();
        assertTrue(fault(Mismatch.class, () -> executable.addEntry(p)).what().contains("closed"));
        assertTrue(fault(Mismatch.class, () -> executable.allocate(Map.of())).what().contains("closed"));
        executor.close();
        assertTrue(fault(Mismatch.class, () -> executor.load(Map.of())).what().contains("closed"));
    }

    @Test
    void whatAKernelThrowsIsAFailureOfTheDeviceWithItsCause() throws Exception {
        Arena arena = Arena.ofShared();
        try (Executor executor = CpuJudge.open()) {
            Weight w = weight(arena.allocate(64), 2, 8);
            Program p = product(executor, w);
            try (Executable executable = executor.load(Map.of(W, w)); States states = executable.allocate(Map.of())) {
                Entry entry = executable.addEntry(p);
                entry.run(states);
                arena.close();
                ExecutorException e = assertThrows(ExecutorException.class, () -> entry.run(states));
                assertInstanceOf(DeviceFailed.class, e.fault());
                assertInstanceOf(IllegalStateException.class, e.getCause());
            }
        }
    }

    @Test
    void threadsHaveALimit() {
        Unsupported e = fault(Unsupported.class, () -> new CpuExecutorProvider().open(new ExecutorOptions(1_000_000)));
        assertTrue(e.message().contains("1000000 threads: at most "), e.message());
    }
}
