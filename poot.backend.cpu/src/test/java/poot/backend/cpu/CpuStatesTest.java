package poot.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.graph.ElementType;
import poot.api.graph.TensorType;

/** A state that no array can hold is not copied to the host. */
class CpuStatesTest {
    @Test
    void copiesHaveALimit() throws ExecutorException {
        assertEquals(64, CpuStates.copied("s", TensorType.of(ElementType.F32, 4, 4)));
        TensorType large = TensorType.of(ElementType.F32, 1 << 15, 1 << 14);
        ExecutorException e = assertThrows(ExecutorException.class, () -> CpuStates.copied("s", large));
        assertTrue(assertInstanceOf(Mismatch.class, e.fault()).what().contains("2147483648 bytes"));
    }
}
