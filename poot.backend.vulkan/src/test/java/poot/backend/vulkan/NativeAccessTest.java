package poot.backend.vulkan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK;
import poot.api.executor.ExecutorException;
import poot.core.kernel.device.Device;

/** Where the JVM allows no native calls, that is a reason, and other backends run on. */
class NativeAccessTest {
    @Test
    void aDenialIsAReason() throws IOException, InterruptedException {
        String places = Stream.of(NativeAccessTest.class, VulkanExecutorProvider.class, Device.class, ExecutorException.class,
                MemoryStack.class, VK.class).map(NativeAccessTest::place).distinct().collect(Collectors.joining(File.pathSeparator));
        Process p = new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m",
                "--illegal-native-access=deny", "-cp", places, Elsewhere.class.getName())).redirectErrorStream(true).start();
        String out = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(p.waitFor(2, TimeUnit.MINUTES), out);
        assertEquals(0, p.exitValue(), out);
        assertTrue(out.contains("native calls are not allowed: start with --enable-native-access=poot.backend.vulkan,org.lwjgl"), out);
    }

    private static String place(Class<?> c) {
        try {
            return Path.of(c.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** Prints what the provider finds. */
    static final class Elsewhere {
        private Elsewhere() {}

        public static void main(String[] arguments) {
            System.out.println(new VulkanExecutorProvider().probe());
        }
    }
}
