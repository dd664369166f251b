package poot.backend.vulkan.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import poot.api.executor.ExecutorException;
import poot.api.executor.MemoryLeft;
import poot.backend.vulkan.device.PhysicalDevice.Kind;

/** What Vulkan devices a machine has. */
public final class VulkanDevices {
    private static final Path NODES = Path.of("/dev");
    /** How the files begin by which Linux offers GPUs: one per driver family. */
    private static final List<String> GPU_NODES = List.of("nvidia", "kfd", "dxg", "mali", "kgsl");

    private VulkanDevices() {}

    /**
     * A device as it would be opened.
     *
     * @param software it is a processor that plays a GPU
     * @param memoryBytes its largest memory; 0 where it is the host's
     */
    public record Found(String description, boolean software, long memoryBytes) {}

    /**
     * The device that {@link VulkanDevice#open} would open.
     *
     * @throws ExecutorException NotAvailable with the reason
     */
    public static Found find(VulkanOptions options) throws ExecutorException {
        try (VulkanInstance instance = VulkanInstance.open(options)) {
            List<PhysicalDevice> all = instance.devices();
            PhysicalDevice best = DeviceChoice.choose(all, options.device());
            String others = all.size() == 1 ? "" : ", device " + best.index() + " of " + all.size();
            boolean software = best.kind() == Kind.CPU;
            long memory = software ? 0 : DeviceProperties.of(best, DeviceFeatures.of(best)).limits().memoryBytes();
            return new Found(best.name() + " (Vulkan " + best.versionName() + others + "), "
                    + (software ? "a processor, in the host's memory" : MemoryLeft.readable(memory)), software, memory);
        }
    }

    /**
     * Whether there may be a GPU, found without asking drivers: on Linux one shows in the folder of devices. It costs
     * next to nothing where loading every driver costs half a second.
     */
    public static boolean mayHaveGpu() {
        if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux")) {
            return true;
        }
        return hasNode(NODES.resolve("dri"), List.of("renderD")) || hasNode(NODES, GPU_NODES);
    }

    private static boolean hasNode(Path folder, List<String> beginnings) {
        try (Stream<Path> all = Files.list(folder)) {
            Optional<Path> first = all.filter(p -> beginnings.stream().anyMatch(p.getFileName().toString()::startsWith)).findAny();
            return first.isPresent();
        } catch (IOException _) {
            return false; // No such folder: nothing is offered there.
        }
    }
}
