package poot.backend.vulkan.device;

import static org.lwjgl.vulkan.VK13.*;

import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.NotAvailable;

/** Which device is opened. */
final class DeviceChoice {
    private DeviceChoice() {}

    /**
     * The device asked for, or of those that can run kernels the best: one of its own before one on the processor's die,
     * software last.
     *
     * @throws ExecutorException NotAvailable with every device found and why it does not do
     */
    static PhysicalDevice choose(List<PhysicalDevice> all, Optional<String> wanted) throws ExecutorException {
        List<PhysicalDevice> named = all.stream().filter(d -> wanted.isEmpty() || matches(d, wanted.get())).toList();
        if (named.isEmpty()) {
            String found = all.isEmpty() ? "no driver offers one" : "those there are: " + all.stream()
                    .map(d -> "number " + d.index() + ", " + d.name()).collect(Collectors.joining("; "));
            throw new ExecutorException(new NotAvailable(Outcome.BACKEND, "no Vulkan device"
                    + wanted.map(w -> " is number " + w + " or has it in its name").orElse("") + ": " + found
                    + (wanted.isPresent() ? "; set " + VulkanOptions.DEVICE + " to one of them" : "; install a driver")));
        }
        Optional<PhysicalDevice> best = named.stream().filter(d -> lacks(d).isEmpty())
                .min(Comparator.comparing(PhysicalDevice::kind).thenComparing(PhysicalDevice::index));
        if (best.isPresent()) {
            return best.get();
        }
        throw new ExecutorException(new NotAvailable(Outcome.BACKEND, named.stream()
                .map(d -> d.name() + " " + lacks(d).orElse("")).collect(Collectors.joining("; ")) + "; a newer driver may help"));
    }

    private static boolean matches(PhysicalDevice device, String wanted) {
        boolean isNumber = wanted.length() <= 2 && wanted.chars().allMatch(c -> c >= '0' && c <= '9');
        return isNumber ? device.index() == Integer.parseInt(wanted)
                : device.name().toLowerCase(Locale.ROOT).contains(wanted.toLowerCase(Locale.ROOT));
    }

    /** What a device lacks to run kernels; empty where it does. */
    static Optional<String> lacks(PhysicalDevice device) {
        if (device.version() < VK_API_VERSION_1_3) {
            return Optional.of("implements Vulkan " + device.versionName() + ", 1.3 is needed");
        }
        EnumSet<DeviceFeatures> missing = EnumSet.copyOf(DeviceFeatures.REQUIRED);
        missing.removeAll(DeviceFeatures.of(device));
        if (!missing.isEmpty()) {
            return Optional.of("lacks " + missing);
        }
        return DeviceProperties.joinsLanes(device) ? Optional.empty() : Optional.of("cannot join lanes of a subgroup");
    }
}
