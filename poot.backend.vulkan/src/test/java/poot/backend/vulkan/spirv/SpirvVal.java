package poot.backend.vulkan.spirv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** The validator of SPIRV-Tools, where it is installed. */
public final class SpirvVal {
    private static final Path TOOL = Path.of("/usr/bin/spirv-val");

    private SpirvVal() {}

    /** Whether it is installed. */
    public static boolean isThere() {
        return Files.isExecutable(TOOL);
    }

    /** Skips a test that is about nothing else. */
    public static void assumeThere() {
        Assumptions.assumeTrue(isThere(), "spirv-val is not installed: modules were not validated");
    }

    /** Fails unless the module is valid for Vulkan 1.3; passes where the validator is missing. */
    public static void check(String name, int[] words) {
        if (isThere()) {
            assertEquals("", said(words), name);
        }
    }

    /** What the validator finds wrong. */
    static String said(int[] words) {
        try {
            Path file = Files.createTempFile("module", ".spv");
            try {
                ByteBuffer bytes = ByteBuffer.allocate(4 * words.length).order(ByteOrder.LITTLE_ENDIAN);
                bytes.asIntBuffer().put(words);
                Files.write(file, bytes.array());
                Process p = new ProcessBuilder(TOOL.toString(), "--target-env", "vulkan1.3", file.toString()).redirectErrorStream(true).start();
                String out = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
                return p.waitFor() == 0 ? "" : out;
            } finally {
                Files.delete(file);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
