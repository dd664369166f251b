package poot.backend.cpu.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.executor.MemoryLeft;
import poot.backend.cpu.ffi.SystemMemory;

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

    /** Java's bound on memory outside the heap is the heap's, unless it is set: neither holds what comes from the system. */
    @Test
    void aHeapOfAnySizeDoes() throws Exception {
        long much = Runtime.getRuntime().maxMemory() / 2 + (64 << 20);
        assumeTrue(SystemMemory.available() && Available.bytes() > 2 * much, "no such memory on this machine");
        long first;
        try (Memory memory = new Memory("test")) {
            MemorySegment small = memory.allocate("in pages", much);
            MemorySegment large = memory.allocateLarge("in large pages", much);
            assertEquals(0, small.address() % 64);
            assertEquals(2 * much, memory.bytes());
            for (MemorySegment s : new MemorySegment[] {small, large}) {
                assertEquals(0, s.get(ValueLayout.JAVA_BYTE, much - 1));
                s.set(ValueLayout.JAVA_BYTE, much - 1, (byte) 1);
            }
            first = small.address();
            assertTrue(isMapped(first));
        }
        assertFalse(isMapped(first), "given back");
    }

    private static boolean isMapped(long address) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            String[] ends = line.substring(0, line.indexOf(' ')).split("-");
            if (Long.compareUnsigned(Long.parseUnsignedLong(ends[0], 16), address) <= 0
                    && Long.compareUnsigned(address, Long.parseUnsignedLong(ends[1], 16)) < 0) {
                return true;
            }
        }
        return false;
    }

    /** Where Java's own memory must do, the refusal says what bounds it. */
    @Test
    void javasBoundIsNamed() throws Exception {
        try (Memory memory = new Memory("test", false)) {
            memory.allocateLarge("some", Memory.LEAST_SYSTEM);
            assertEquals(Memory.LEAST_SYSTEM, memory.bytes());
            ExecutorException e = assertThrows(ExecutorException.class, () -> memory.allocateLarge("arena", 1L << 46));
            assertTrue(e.getMessage().contains("arena of test in Java's memory outside the heap (-XX:MaxDirectMemorySize bounds it)"),
                    e.getMessage());
            assertEquals(Memory.LEAST_SYSTEM, memory.bytes());
        }
    }

    @Test
    void whatIsAllocatedInPartsIsForeseen() throws Exception {
        try (Memory memory = new Memory("test")) {
            memory.foresee("little", 1);
            assumeTrue(Available.bytes() > 0, "the system does not tell what memory it has");
            ExecutorException e = assertThrows(ExecutorException.class, () -> memory.foresee("states", 1L << 46));
            assertEquals("states of test", assertInstanceOf(OutOfMemory.class, e.fault()).what());
        }
    }

    /** A container may be full: that is not as if nobody told. */
    @Test
    void whereNothingIsLeftNothingIsForeseen() throws Exception {
        try (Memory memory = new Memory("test")) {
            memory.foresee("little", 1, Optional.empty());
            memory.foresee("all", 7, Optional.of(new MemoryLeft("the host", 9, 7)));
            MemoryLeft none = new MemoryLeft("the host", 9, 0);
            ExecutorException e = assertThrows(ExecutorException.class, () -> memory.foresee("little", 1, Optional.of(none)));
            assertEquals(new OutOfMemory("little of test", 1, Optional.of(none)), e.fault());
        }
    }
}
