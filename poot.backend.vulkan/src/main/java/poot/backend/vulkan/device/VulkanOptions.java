package poot.backend.vulkan.device;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How a device is opened.
 *
 * @param device which: its number in the loader's list (at most two digits), or a part of its name in any case; empty for the best
 * @param validation the validation layer checks every call and kernel, and its messages are counted
 * @param staging memory is always written and read through a staging buffer, also where the host can map it
 * @param cache the folder that keeps pipelines between runs; empty to keep none
 * @param loader the file name of Vulkan's loader; empty for the system's usual one
 */
public record VulkanOptions(Optional<String> device, boolean validation, boolean staging, Optional<Path> cache,
        Optional<String> loader) {
    /** System properties, each also read from the environment in upper case with underscores. */
    public static final String DEVICE = "poot.vulkan.device";
    public static final String VALIDATION = "poot.vulkan.validation";
    public static final String STAGING = "poot.vulkan.staging";
    public static final String LOADER = "poot.vulkan.loader";

    public VulkanOptions {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(cache, "cache");
        Objects.requireNonNull(loader, "loader");
    }

    /** What this process's system properties and environment say; pipelines are kept in poot's cache folder. */
    public static VulkanOptions fromEnvironment() {
        Map<String, String> env = System.getenv();
        return new VulkanOptions(setting(DEVICE, env), isTrue(VALIDATION, env), isTrue(STAGING, env), Optional.of(cache(env)),
                setting(LOADER, env));
    }

    /** The same with pipelines kept elsewhere. */
    public VulkanOptions withCache(Path folder) {
        return new VulkanOptions(device, validation, staging, Optional.of(folder), loader);
    }

    private static Path cache(Map<String, String> env) {
        String own = env.getOrDefault("POOT_CACHE", "");
        String all = env.getOrDefault("XDG_CACHE_HOME", "");
        Path folder = !own.isBlank() ? Path.of(own)
                : (!all.isBlank() ? Path.of(all) : Path.of(System.getProperty("user.home", "."), ".cache")).resolve("poot");
        return folder.resolve("vulkan");
    }

    private static boolean isTrue(String property, Map<String, String> env) {
        return setting(property, env).filter(v -> v.equals("true") || v.equals("1")).isPresent();
    }

    private static Optional<String> setting(String property, Map<String, String> env) {
        String value = System.getProperty(property);
        if (value == null) {
            value = env.get(property.toUpperCase(java.util.Locale.ROOT).replace('.', '_'));
        }
        return Optional.ofNullable(value).map(String::strip).filter(v -> !v.isEmpty());
    }
}
