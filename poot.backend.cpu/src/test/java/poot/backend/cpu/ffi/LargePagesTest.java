package poot.backend.cpu.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LargePagesTest {
    @TempDir
    Path folder;

    @Test
    void theSystemsChoiceIsRead() throws Exception {
        assertFalse(LargePages.available(folder.resolve("none")));
        assertFalse(LargePages.available(choice("always madvise [never]")));
        assertTrue(LargePages.available(choice("always [madvise] never")));
        assertTrue(LargePages.available(choice("[always] madvise never")));
    }

    private Path choice(String text) throws Exception {
        return Files.writeString(folder.resolve("enabled"), text + "\n");
    }

    /** Aligned, zeroed, as long as asked for, and gone with the arena. */
    @Test
    void memoryBelongsToItsArena() {
        assumeTrue(LargePages.available(), "the system has no large pages");
        MemorySegment kept;
        try (Arena arena = Arena.ofShared()) {
            for (long bytes : new long[] {1, LargePages.PAGE, 3 * LargePages.PAGE + 17}) {
                MemorySegment s = LargePages.allocate(bytes, arena).orElseThrow();
                assertEquals(bytes, s.byteSize());
                assertEquals(0, s.address() % LargePages.PAGE);
                assertEquals(0, s.get(ValueLayout.JAVA_BYTE, bytes - 1));
                s.fill((byte) 7);
            }
            kept = LargePages.allocate(64, arena).orElseThrow();
        }
        MemorySegment gone = kept;
        assertThrows(IllegalStateException.class, () -> gone.get(ValueLayout.JAVA_BYTE, 0));
        try (Arena arena = Arena.ofShared()) {
            assertTrue(LargePages.allocate(Long.MAX_VALUE, arena).isEmpty());
            assertTrue(LargePages.allocate(1L << 60, arena).isEmpty());
        }
    }

    /** A file's pages come back as they were; nothing else is touched. */
    @Test
    void forgottenPagesAreReadAgain() throws Exception {
        byte[] bytes = new byte[3 * 4096 + 5];
        bytes[5000] = 9;
        Path file = Files.write(folder.resolve("file"), bytes);
        try (Arena arena = Arena.ofShared(); FileChannel channel = FileChannel.open(file)) {
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes.length, arena);
            LargePages.forget(mapped.asSlice(100, 9000));
            LargePages.forget(mapped.asSlice(100, 10));
            assertEquals(9, mapped.get(ValueLayout.JAVA_BYTE, 5000));
            MemorySegment own = arena.allocate(1 << 16);
            own.fill((byte) 3);
            LargePages.forget(own);
            LargePages.forget(own.asReadOnly());
            assertEquals(3, own.get(ValueLayout.JAVA_BYTE, 1 << 15));
        }
    }
}
