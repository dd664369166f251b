package poot.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.platform.commons.JUnitException;
import org.opentest4j.TestAbortedException;
import poot.api.executor.Availability;
import poot.api.executor.ExecutorException;
import poot.backend.cuda.device.CudaDevices;
import poot.backend.cuda.driver.TestDriver;
import poot.backend.cuda.kernels.FlowKernels;
import poot.core.kernel.device.Device;

/** No driver, an old one, no device, one that cannot serve: reasons, never errors. */
class AvailabilityTest {
    @AfterEach
    void forget() {
        System.clearProperty(CudaDevices.PROPERTY);
    }

    private static String reason() {
        return new CudaExecutorProvider().probe() instanceof Availability.Unavailable u ? u.reason() : "";
    }

    @Test
    void thereIsADevice() {
        TestDriver.require();
        assertEquals(new Availability.Available("Test device, device 0, kernels for sm_90, 8.0 GiB", 8L << 30), new CudaExecutorProvider().probe());
    }

    @Test
    void noDevice() {
        TestDriver.require().set(TestDriver.Number.DEVICES, 0);
        assertEquals("the driver sees no device", reason());
    }

    @Test
    void theDriverDoesNotStart() {
        TestDriver.require().set(TestDriver.Number.FAIL_INIT, 999);
        assertEquals("cuInit: error 999", reason());
    }

    @Test
    void theDriverIsOld() {
        TestDriver.require().set(TestDriver.Number.VERSION, 10_010);
        assertTrue(reason().contains("the driver is for CUDA 10.1"), reason());
    }

    @Test
    void theDeviceIsOld() {
        TestDriver.require().capability(61);
        assertTrue(reason().startsWith("device 0 (Test device): compute capability 6.1"), reason());
    }

    @Test
    void aDeviceThatIsNotThere() {
        TestDriver.require().set(TestDriver.Number.DEVICES, 2);
        System.setProperty(CudaDevices.PROPERTY, "1");
        assertEquals("", reason());
        System.setProperty(CudaDevices.PROPERTY, "2");
        assertEquals("poot.cuda.device=2 names no device: use 0 to 1", reason());
    }

    @Test
    void noLibrary() {
        String out = elsewhere("-Dpoot.cuda.library=/nowhere/libcuda.so.1");
        assertTrue(out.contains("/nowhere/libcuda.so.1, which -Dpoot.cuda.library names, cannot be loaded"), out);
    }

    /** Set to nothing is not set. */
    @Test
    void anEmptyNameIsTheSystems() {
        String out = elsewhere("-Dpoot.cuda.library=");
        assertFalse(out.contains(" has no ") || out.contains("names, cannot be loaded"), out);
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "the library it loads is Linux's")
    void aLibraryThatIsNoDriver() {
        String out = elsewhere("-Dpoot.cuda.library=libm.so.6");
        assertTrue(out.contains("libm.so.6 has no cuInit: it is no CUDA driver"), out);
    }

    @Test
    void anEntryPointIsMissing() {
        assumeTrue(TestDriver.canBuild(), "no gcc on this machine: the CUDA test driver cannot be built");
        String out = elsewhere("-Dpoot.cuda.library=" + TestDriver.build("-DLACKING"));
        assertTrue(out.contains("has no cuEventRecord: install a driver for CUDA 11 or later"), out);
    }

    /** What CUDA 11.0 had suffices to run. */
    @Test
    void anOlderDriverServes() {
        assumeTrue(TestDriver.canBuild(), "no gcc on this machine: the CUDA test driver cannot be built");
        assertEquals("runs", elsewhere("-D" + TestDriver.FLAGS + "=-DOLDER").strip());
    }

    /** Native access not allowed: the JVM's own word for it is a reason too. */
    @Test
    void nativeAccessIsDenied() {
        String out = elsewhere("--illegal-native-access=deny", "-Dpoot.cuda.library=/nowhere/libcuda.so.1");
        assertTrue(out.contains("native calls are not allowed: start with --enable-native-access=poot.backend.cuda"), out);
    }

    /** What {@link Elsewhere} prints in a process of its own. */
    private static String elsewhere(String... options) {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m"));
        command.addAll(List.of(options));
        if (!List.of(options).contains("--illegal-native-access=deny")) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-cp", Stream.of(AvailabilityTest.class, CudaDevices.class, Device.class, ExecutorException.class, Assumptions.class,
                JUnitException.class, TestAbortedException.class).map(AvailabilityTest::place).distinct().collect(Collectors.joining(File.pathSeparator)),
                Elsewhere.class.getName()));
        return TestDriver.run(command);
    }

    private static String place(Class<?> c) {
        try {
            return Path.of(c.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** Prints why there is no device, or runs a kernel. */
    static final class Elsewhere {
        private Elsewhere() {}

        public static void main(String[] arguments) throws ExecutorException {
            if (System.getProperty(TestDriver.FLAGS) != null) {
                KernelParityTest.check(FlowKernels.all().getFirst(), 80);
                System.out.println("runs");
            } else {
                System.out.println(new CudaExecutorProvider().probe());
            }
        }
    }
}
