package poot.backend.cpu.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.OutOfMemory;

/** Memory is aligned, zeroed, counted, released with its owner, and refused with the facts. */
class MemoryTest {
    @Test
    void segmentsLiveAsLongAsTheirOwner() throws ExecutorException {
        MemorySegment s;
        try (Memory memory = new Memory("test")) {
            s = memory.allocate("first", 3);
            MemorySegment t = memory.allocate("second", 100);
            assertEquals(0, s.address() % 64);
            assertEquals(0, t.address() % 64);
            assertEquals(-1, t.mismatch(memory.allocate("third", 100)));
            assertEquals(203, memory.bytes());
        }
        assertFalse(s.scope().isAlive());
    }

    @Test
    void tooMuchIsATypedRefusal() {
        try (Memory memory = new Memory("test")) {
            long much = 1L << 46;
            ExecutorException e = assertThrows(ExecutorException.class, () -> memory.allocate("arena", much));
            OutOfMemory fault = assertInstanceOf(OutOfMemory.class, e.fault());
            assertEquals("arena of test", fault.what());
            assertEquals(much, fault.bytes());
            assertTrue(fault.message().contains("64.0 TiB (" + much + " bytes)"), fault.message());
        }
    }
}
