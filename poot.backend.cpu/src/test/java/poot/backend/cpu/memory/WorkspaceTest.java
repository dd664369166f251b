package poot.backend.cpu.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import poot.api.executor.ExecutorException;
import poot.backend.cpu.ffi.LargePages;

/** Scratch of a step that nobody has run yet costs a start neither memory nor the time to clear it. */
class WorkspaceTest {
    private static final Path PAGES = Path.of("/proc/self/statm");
    private static final long BYTES = 512 << 20;

    @Test
    void scratchIsTakenFromTheSystemAsItIsTouched() throws ExecutorException, IOException {
        Assumptions.assumeTrue(Files.isReadable(PAGES), "no /proc: resident pages cannot be counted");
        Assumptions.assumeTrue(LargePages.available() && Available.bytes() > 3 * BYTES, "no large pages, or little memory");
        Workspace workspace = new Workspace();
        workspace.reserveShared(BYTES);
        try (Memory memory = new Memory("test")) {
            long before = resident();
            workspace.allocate(memory, 1);
            assertEquals(BYTES, workspace.shared().byteSize());
            long more = resident() - before;
            assertTrue(more < BYTES / 4, more + " bytes are resident");
        }
    }

    private static long resident() throws IOException {
        return Long.parseLong(Files.readString(PAGES).split(" ")[1]) * 4096;
    }
}
