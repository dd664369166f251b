package poot.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import poot.step.Vulkan;

/** The packaged command on a Vulkan device says what it says on the CPU. */
class VulkanCommandTest {
    private static final String QUESTION = "What is the capital of France?";

    private static String answer(Shell shell, String backend) throws Exception {
        Launched run = shell.run("chat", "-m", Repository.demoModel().toString(), "--backend", backend, QUESTION);
        assertEquals(0, run.status(), run.err());
        return run.out();
    }

    @Test
    void aChat(@TempDir Path folder) throws Exception {
        Vulkan.device().close();
        Repository.modules();
        try (Shell shell = Shell.open(Map.of("POOT_CACHE", folder.toString()))) {
            String expected = answer(shell, "cpu");
            assertEquals("The capital of France is Paris.", expected.strip());
            assertEquals(expected, answer(shell, "vulkan"));
            Launched threads = shell.run("chat", "-m", Repository.demoModel().toString(), "--backend", "vulkan", "--threads", "2", QUESTION);
            assertEquals(1, threads.status());
            assertEquals("poot: backend vulkan cannot run 2 worker threads: a device has threads of its own; leave threads out (0), or use the"
                    + " backend cpu\n", threads.err());
            Launched mapped = shell.run("chat", "-m", Repository.demoModel().toString(), "--backend", "vulkan", "--weights", "mapped", QUESTION);
            assertEquals(1, mapped.status());
            assertTrue(mapped.err().startsWith("poot: backend vulkan cannot run weights MAPPED"), mapped.err());
        }
    }
}
