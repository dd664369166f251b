package poot.backend.vulkan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import poot.api.executor.Availability;
import poot.backend.vulkan.device.VulkanDevices;
import poot.backend.vulkan.device.VulkanOptions;

/** What the provider says of this machine. */
class VulkanExecutorProviderTest {
    @Test
    void saysWhyItIsNotAvailable() {
        var provider = new VulkanExecutorProvider();
        assertEquals("vulkan", provider.name());
        assertFalse(assertInstanceOf(Availability.Unavailable.class, provider.probe()).reason().isBlank());
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
