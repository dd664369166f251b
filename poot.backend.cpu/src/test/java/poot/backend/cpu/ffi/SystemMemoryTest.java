package poot.backend.cpu.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SystemMemoryTest {
    @Test
    void memoryIsAlignedAndZeroedAndAsLongAsItsArena() {
        assumeTrue(SystemMemory.available(), "the system has no such call");
        MemorySegment kept;
        try (Arena arena = Arena.ofShared()) {
            for (long alignment : new long[] {1, 64, 4096, 1 << 16, 2 << 20}) {
                for (long bytes : new long[] {1, 4095, 4096, 3 * 4096 + 17}) {
                    MemorySegment s = SystemMemory.allocate(bytes, alignment, arena).orElseThrow();
                    assertEquals(bytes, s.byteSize());
                    assertEquals(0, s.address() % alignment);
                    assertEquals(-1, s.mismatch(MemorySegment.ofArray(new byte[(int) bytes])));
                    s.fill((byte) 7);
                }
            }
            kept = SystemMemory.allocate(64, 64, arena).orElseThrow();
        }
        assertFalse(kept.scope().isAlive());
    }

    @Test
    void whatNoMachineHasIsNone() {
        try (Arena arena = Arena.ofShared()) {
            for (long bytes : new long[] {-1, 0, 1L << 60, Long.MAX_VALUE - 4096, Long.MAX_VALUE}) {
                assertTrue(SystemMemory.allocate(bytes, 64, arena).isEmpty(), bytes + " bytes");
                assertTrue(SystemMemory.allocate(bytes, 1 << 16, arena).isEmpty(), bytes + " bytes");
            }
        }
    }

    /** A closed arena takes nothing, and nothing is left behind. */
    @Test
    void aClosedArenaLeavesNoPages() throws Exception {
        assumeTrue(SystemMemory.available() && Files.isReadable(Path.of("/proc/self/maps")), "the system does not tell");
        Arena closed = Arena.ofShared();
        closed.close();
        long before = mapped();
        for (int i = 0; i < 8; i++) {
            assertThrows(IllegalStateException.class, () -> SystemMemory.allocate(1L << 32, 64, closed));
        }
        assertTrue(mapped() - before < 1L << 32, "as much as a single one");
    }

    private static long mapped() throws Exception {
        long bytes = 0;
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            String[] ends = line.substring(0, line.indexOf(' ')).split("-");
            bytes += Long.parseUnsignedLong(ends[1], 16) - Long.parseUnsignedLong(ends[0], 16);
        }
        return bytes;
    }
}
