package poot.backend.vulkan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import poot.api.executor.Availability;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.backend.vulkan.device.VulkanDevices;
import poot.backend.vulkan.device.VulkanOptions;

/** What the provider says of this machine. */
class VulkanExecutorProviderTest {
    @Test
    void opensWhatItFinds() throws ExecutorException {
        var provider = new VulkanExecutorProvider();
        assertEquals("vulkan", provider.name());
        switch (provider.probe()) {
            case Availability.Available a -> {
                assertFalse(a.device().isBlank());
                try (Executor executor = provider.open(ExecutorOptions.DEFAULT)) {
                    assertEquals("vulkan", executor.target().name());
                }
            }
            case Availability.Unavailable u -> Assumptions.abort("no Vulkan device: " + u.reason());
        }
    }

    @Test
    void aMissingLoaderIsAReasonAndNoPreference() {
        String before = System.getProperty(VulkanOptions.LOADER);
        System.setProperty(VulkanOptions.LOADER, "libvulkan-absent.so.9");
        try {
            var provider = new VulkanExecutorProvider();
            assertTrue(assertInstanceOf(Availability.Unavailable.class, provider.probe()).reason().contains("libvulkan-absent.so.9"));
            assertTrue(provider.priority() < 0);
        } finally {
            if (before == null) {
                System.clearProperty(VulkanOptions.LOADER);
            } else {
                System.setProperty(VulkanOptions.LOADER, before);
            }
        }
    }

    /** A processor that plays a GPU never goes before the CPU itself. */
    @Test
    void softwareComesAfterTheCpu() {
        Assumptions.assumeFalse(VulkanDevices.mayHaveGpu(), "this machine may have a GPU");
        assertTrue(new VulkanExecutorProvider().priority() < 0);
    }
}
