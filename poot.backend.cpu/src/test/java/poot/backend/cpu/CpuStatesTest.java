package poot.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.States;
import poot.api.graph.ElementType;
import poot.api.graph.TensorType;
import poot.backend.cpu.kernel.Lanes;

/** States are copied and cleared by the unit, and nothing beyond them. */
class CpuStatesTest {
    @Test
    void copiesHaveALimit() throws ExecutorException {
        assertEquals(64, CpuStates.copied("s", TensorType.of(ElementType.F32, 4, 4)));
        TensorType large = TensorType.of(ElementType.F32, 1 << 15, 1 << 14);
        ExecutorException e = assertThrows(ExecutorException.class, () -> CpuStates.copied("s", large));
        assertTrue(assertInstanceOf(Mismatch.class, e.fault()).what().contains("2147483648 bytes"));
    }

    @Test
    void unitsAreCopiedAndCleared() throws ExecutorException {
        try (Executor executor = new CpuExecutorProvider().open(new ExecutorOptions(1));
                Executable executable = executor.load(new TreeMap<>());
                States states = executable.allocate(Map.of("s", TensorType.of(ElementType.I32, 4, 2)))) {
            states.write("s", 0, MemorySegment.ofArray(new int[] {1, 2, 3, 4, 5, 6, 7, 8}));
            states.copy("s", 0, 2, 1);
            states.copy("s", 3, 0, 1);
            states.clear("s", 1, 2);
            assertArrayEquals(new int[] {7, 8, 0, 0, 1, 2, 7, 8}, states.read("s").toArray(Lanes.INT));
            states.copy("s", 0, 1, 3);
            assertArrayEquals(new int[] {7, 8, 7, 8, 0, 0, 1, 2}, states.read("s").toArray(Lanes.INT));
            for (long[] bad : new long[][] {
                    {-1, 0, 1}, {0, 4, 1}, {4, 0, 1}, {0, 0, 5}, {0, 0, -1}, {0, Long.MAX_VALUE, 1}, {Long.MAX_VALUE, 0, 2}}) {
                assertInstanceOf(Mismatch.class,
                        assertThrows(ExecutorException.class, () -> states.copy("s", bad[0], bad[1], bad[2])).fault());
            }
            assertThrows(ExecutorException.class, () -> states.copy("t", 0, 0, 1));
        }
    }
}
