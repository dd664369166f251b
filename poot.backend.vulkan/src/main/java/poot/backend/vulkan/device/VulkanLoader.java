package poot.backend.vulkan.device;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.Locale;
import java.util.Optional;
import org.lwjgl.system.Configuration;
import org.lwjgl.vulkan.VK;

/** The system's Vulkan loader, a library that finds drivers. */
final class VulkanLoader {
    private static final String ALLOW = "start with --enable-native-access=poot.backend.vulkan,org.lwjgl";

    private VulkanLoader() {}

    /**
     * Loads it, once a process.
     *
     * @param file its name; empty for the system's usual one
     * @return why it cannot be used; empty where it can
     */
    @SuppressWarnings("restricted") // The loader is native code, and this package is where it is called from.
    static synchronized Optional<String> load(Optional<String> file) {
        String name = file.orElseGet(VulkanLoader::usualName);
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup library = SymbolLookup.libraryLookup(name, arena);
            if (library.find("vkGetInstanceProcAddr").isEmpty()) {
                return Optional.of(name + " has no vkGetInstanceProcAddr: it is no Vulkan loader");
            }
        } catch (IllegalArgumentException _) {
            return Optional.of(file.isPresent()
                    ? name + ", which " + VulkanOptions.LOADER + " names, cannot be loaded: name the file of a Vulkan loader, or none for the system's"
                    : "there is no Vulkan loader: " + name + " was not found; install the Vulkan loader and a driver");
        } catch (IllegalCallerException _) {
            return Optional.of("native calls are not allowed: " + ALLOW);
        }
        try {
            Configuration.VULKAN_LIBRARY_NAME.set(name);
            VK.getInstanceVersionSupported();
            return Optional.empty();
        } catch (LinkageError e) {
            return Optional.of("LWJGL, which calls Vulkan, cannot load its native part: " + reason(e)
                    + "; it is unpacked to the folder of java.io.tmpdir, which must allow programs"
                    + (VK.class.getModule().isNativeAccessEnabled() ? "" : ", and native calls must be allowed: " + ALLOW));
        }
    }

    private static String reason(LinkageError e) {
        Throwable last = e;
        while (last.getCause() != null && last.getCause() != last) {
            last = last.getCause();
        }
        return last.toString();
    }

    private static String usualName() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        return os.startsWith("windows") ? "vulkan-1.dll" : os.startsWith("mac") ? "libvulkan.1.dylib" : "libvulkan.so.1";
    }
}
