package poot.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import poot.backend.cuda.Assembler;
import poot.backend.cuda.Assembler.Usage;

/**
 * What NVIDIA's assembler makes of the kernels that a device was told; the kernels that take the time spill nothing. With
 * {@code -Dpoot.cuda.tests=all}, as {@code ./check modes} has it, for all capabilities; else for the oldest and the newest.
 */
public final class Assembled {
    /** Whether all is assembled that there is. */
    public static final boolean ALL = System.getProperty("poot.cuda.tests", "few").equals("all");
    private static final List<Integer> CAPABILITIES = List.of(75, 80, 90, 120);
    private static final List<Integer> FEW = List.of(75, 120);
    /** Products and attention. */
    private static final Pattern HOT = Pattern.compile("poot_(row_product|tile_product|fragment_product|batch_product|attend_(few|many)).*");

    private Assembled() {}

    /** A device to tell, or a skip that says why there is none. */
    public static DryDevice device(int capability) {
        assumeTrue(Assembler.find().isPresent(), "no ptxas on this machine: no kernel is assembled");
        assumeTrue(ALL || FEW.contains(capability), "kernels for sm_" + capability + " are assembled with -Dpoot.cuda.tests=all");
        return DryDevice.cuda(capability);
    }

    /** A device to tell of each capability, or a skip that says why there is none: of what is assembled under {@code ./check modes} alone. */
    public static List<DryDevice> devices() {
        assumeTrue(ALL, "these kernels are assembled with -Dpoot.cuda.tests=all");
        return CAPABILITIES.stream().map(Assembled::device).toList();
    }

    /** Assembles every kernel of a device; what they take is written to {@code target/ptxas}. */
    public static void assemble(String name, DryDevice device) throws IOException {
        Map<String, Usage> usages = Assembler.assemble(device.kernels(), device.target());
        assertEquals(device.kernels().size(), usages.size());
        String of = name + "-sm_" + device.target().capability();
        Assembler.report(of, usages);
        Files.writeString(Path.of("target", "ptxas", of + ".md"), summary(name.replace('-', ' '), "sm_" + device.target().capability(), usages));
        SortedMap<String, Usage> spilling = new TreeMap<>(usages);
        spilling.values().removeIf(u -> u.spilled() == 0);
        spilling.keySet().removeIf(k -> !HOT.matcher(k).matches());
        assertEquals(Map.of(), spilling, "kernels that spill");
    }

    /** A line for all kernels and a line for those that take the time: how many, and the most that one of them takes. */
    private static String summary(String name, String device, Map<String, Usage> usages) {
        Map<String, Usage> hot = new TreeMap<>(usages);
        hot.keySet().removeIf(k -> !HOT.matcher(k).matches());
        return line(name, device, "all", usages.values()) + line(name, device, "products and attention", hot.values());
    }

    private static String line(String name, String device, String which, Collection<Usage> some) {
        return "| " + name + " | " + device + " | " + which + " | " + some.size() + " | " + most(some, Usage::registers) + " | "
                + most(some, Usage::spilled) + " | " + most(some, Usage::shared) + " |\n";
    }

    private static int most(Collection<Usage> some, ToIntFunction<Usage> of) {
        return some.stream().mapToInt(of).max().orElse(0);
    }
}
