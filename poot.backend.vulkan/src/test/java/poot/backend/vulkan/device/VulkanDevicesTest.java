package poot.backend.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.NotAvailable;

/** Which device is opened, and why none is. */
class VulkanDevicesTest {
    private static VulkanOptions named(String device) {
        return new VulkanOptions(Optional.of(device), false, false, Optional.empty(), Optional.empty());
    }

    private static String refusal(VulkanOptions options) {
        ExecutorException e = assertThrows(ExecutorException.class, () -> VulkanDevices.find(options));
        return assertInstanceOf(NotAvailable.class, e.fault()).reason();
    }

    @Test
    void aMissingLoaderIsAReason() {
        String reason = refusal(new VulkanOptions(Optional.empty(), false, false, Optional.empty(), Optional.of("libvulkan-absent.so.9")));
        assertTrue(reason.contains("libvulkan-absent.so.9, which poot.vulkan.loader names, cannot be loaded"), reason);
    }

    /** A file that is there, and no library: nothing is missing that could be installed. */
    @Test
    void aFileThatIsNoLibraryIsAReason(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("notes.txt"), "no library");
        String reason = refusal(new VulkanOptions(Optional.empty(), false, false, Optional.empty(), Optional.of(file.toString())));
        assertTrue(reason.contains(file + ", which poot.vulkan.loader names, cannot be loaded"), reason);
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "the library it loads is Linux's")
    void aLibraryThatIsNoLoaderIsAReason() {
        String reason = refusal(new VulkanOptions(Optional.empty(), false, false, Optional.empty(), Optional.of("libm.so.6")));
        assertTrue(reason.contains("no Vulkan loader"), reason);
    }

    @Test
    void byNumberAndByName() throws ExecutorException {
        try (VulkanDevice device = Opened.device(Opened.options(false, false), UnaryOperator.identity())) {
            String name = device.limits().name();
            assertTrue(VulkanDevices.find(named(String.valueOf(device.index()))).description().contains(name));
            assertTrue(VulkanDevices.find(named(name.substring(0, 5).toUpperCase(java.util.Locale.ROOT))).description().contains(name.substring(0, 5)));
            try (VulkanDevice same = VulkanDevice.open(named(String.valueOf(device.index())))) {
                assertEquals(device.limits(), same.limits());
            }
            String reason = refusal(named("no such device"));
            assertTrue(reason.contains("number " + device.index() + ", " + name) && reason.contains(VulkanOptions.DEVICE), reason);
            assertTrue(refusal(named("99")).contains("99"));
        }
    }

    @Test
    void limitsAreWhole() throws ExecutorException {
        try (VulkanDevice device = Opened.device(Opened.options(false, false), UnaryOperator.identity())) {
            var limits = device.limits();
            assertEquals("vulkan", limits.backend());
            assertTrue(limits.minSubgroup() >= 1 && limits.maxSubgroup() >= limits.minSubgroup());
            assertTrue(limits.subgroup() >= limits.minSubgroup() && limits.subgroup() <= limits.maxSubgroup());
            assertTrue(limits.maxWorkgroup() >= 128 && limits.maxGridX() >= 65535 && limits.maxGridYz() >= 65535, limits.toString());
            assertTrue(limits.sharedBytes() >= 16 << 10 && limits.memoryBytes() > 0 && limits.maxAllocationBytes() > 1 << 29, limits.toString());
            assertTrue(limits.computeUnits() >= 1);
        }
    }
}
