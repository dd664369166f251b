package poot.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.graph.Encoding;
import poot.api.graph.Role;
import poot.api.graph.Weight;
import poot.api.model.StepSpec;
import poot.backend.cuda.Assembler;
import poot.backend.cuda.Assembler.Usage;
import poot.families.Families;
import poot.fixtures.FamilyFixtures;
import poot.fixtures.Fixture;
import poot.golden.OpenModel;
import poot.serve.bench.BenchShape;
import poot.serve.bench.WeightMix;

/**
 * NVIDIA's assembler takes every kernel of the families' programs and of models of real size, for devices old and new; the
 * kernels that take the time spill nothing. With {@code -Dpoot.cuda.tests=all}, as {@code ./check modes} has it, for all
 * families, formats and devices; else for few. What kernels take is written to {@code target/ptxas}.
 */
class FamilyAssemblyTest {
    private static final boolean ALL = System.getProperty("poot.cuda.tests", "few").equals("all");
    /** Products and attention. */
    private static final Pattern HOT = Pattern.compile("poot_(row_product|tile_product|fragment_product|batch_product|attend_(few|many)).*");

    private static final Set<Encoding> ONE_PART = EnumSet.complementOf(EnumSet.of(Encoding.GPTQ_4, Encoding.AWQ_4, Encoding.FP8_CHANNEL,
            Encoding.FP8_BLOCK, Encoding.MXFP4_PAIRS));

    /** The oldest and the newest. */
    private static final Set<Integer> FEW = Set.of(75, 120);
    /** Encodings that rows of the fixtures are whole blocks of. */
    private static final List<Encoding> IN_FAMILIES = List.of(Encoding.F32, Encoding.BF16, Encoding.Q8_0, Encoding.Q4_0);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {75, 80, 90, 120})
    void families(int capability) throws Exception {
        assumeTrue(Assembler.find().isPresent(), "no ptxas on this machine: the kernels of families are not assembled");
        assumeTrue(ALL || FEW.contains(capability), "kernels for sm_" + capability + " are assembled with -Dpoot.cuda.tests=all");
        DryDevice device = DryDevice.cuda(capability);
        List<String> names = ALL ? List.copyOf(FamilyFixtures.TABLE.keySet()) : List.of("bert");
        for (String name : names) {
            for (Fixture f : FamilyFixtures.TABLE.get(name)) {
                try (OpenModel m = OpenModel.open(f.write(directory), Families.registry())) {
                    for (Encoding e : ALL ? IN_FAMILIES : List.of(Encoding.F32)) {
                        for (StepSpec s : Telling.programs(m.model(), 24, 3, 48)) {
                            Telling.tell(device, m.model(), Stored.as(m.weights(), w -> e), s);
                        }
                    }
                }
            }
        }
        assemble("families", device);
    }

    @ParameterizedTest
    @ValueSource(ints = {75, 80, 90, 120})
    void realSizes(int capability) throws Exception {
        assumeTrue(Assembler.find().isPresent(), "no ptxas on this machine: the kernels of models of real size are not assembled");
        assumeTrue(ALL || FEW.contains(capability), "kernels for sm_" + capability + " are assembled with -Dpoot.cuda.tests=all");
        DryDevice device = DryDevice.cuda(capability);
        for (String shape : ALL ? List.of("1b", "8b") : List.of("1b")) {
            Path at = Files.createDirectories(directory.resolve(shape));
            try (LargeModel m = LargeModel.write(at, LargeModel.cut(BenchShape.named(shape)))) {
                List<SortedMap<Role, Weight>> stored = new ArrayList<>(List.of(m.weights(WeightMix.BF16), m.weights(WeightMix.Q4_K_M)));
                if (ALL && shape.equals("1b")) {
                    ONE_PART.forEach(e -> stored.add(m.weights(e)));
                }
                for (SortedMap<Role, Weight> weights : stored) {
                    for (StepSpec s : Telling.programs(m.model(), 512, 8, 2048)) {
                        Telling.tell(device, m.model(), weights, s);
                    }
                }
            }
        }
        assemble("real-sizes", device);
    }

    private static void assemble(String name, DryDevice device) throws Exception {
        Map<String, Usage> usages = Assembler.assemble(device.kernels(), device.target());
        assertEquals(device.kernels().size(), usages.size());
        String of = name + "-sm_" + device.target().capability();
        Assembler.report(of, usages);
        Files.writeString(Path.of("target", "ptxas", of + ".md"), summary(name, "sm_" + device.target().capability(), usages));
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
