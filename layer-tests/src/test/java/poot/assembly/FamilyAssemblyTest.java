package poot.assembly;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.graph.Encoding;
import poot.api.graph.Role;
import poot.api.graph.Weight;
import poot.api.model.StepSpec;
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
    private static final Set<Encoding> ONE_PART = EnumSet.complementOf(EnumSet.of(Encoding.GPTQ_4, Encoding.AWQ_4, Encoding.FP8_CHANNEL,
            Encoding.FP8_BLOCK, Encoding.MXFP4_PAIRS));

    /** Encodings that rows of the fixtures are whole blocks of. */
    private static final List<Encoding> IN_FAMILIES = List.of(Encoding.F32, Encoding.BF16, Encoding.Q8_0, Encoding.Q4_0);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {75, 80, 90, 120})
    void families(int capability) throws Exception {
        DryDevice device = Assembled.device(capability);
        List<String> names = Assembled.ALL ? List.copyOf(FamilyFixtures.TABLE.keySet()) : List.of("bert");
        for (String name : names) {
            for (Fixture f : FamilyFixtures.TABLE.get(name)) {
                try (OpenModel m = OpenModel.open(f.write(directory), Families.registry())) {
                    for (Encoding e : Assembled.ALL ? IN_FAMILIES : List.of(Encoding.F32)) {
                        for (StepSpec s : Telling.programs(m.model(), 24, 3, 48)) {
                            Telling.tell(device, m.model(), Stored.as(m.weights(), w -> e), s);
                        }
                    }
                }
            }
        }
        Assembled.assemble("families", device);
    }

    @ParameterizedTest
    @ValueSource(ints = {75, 80, 90, 120})
    void realSizes(int capability) throws Exception {
        DryDevice device = Assembled.device(capability);
        for (String shape : Assembled.ALL ? List.of("1b", "8b") : List.of("1b")) {
            Path at = Files.createDirectories(directory.resolve(shape));
            try (LargeModel m = LargeModel.write(at, LargeModel.cut(BenchShape.named(shape)))) {
                List<SortedMap<Role, Weight>> stored = new ArrayList<>(List.of(m.weights(WeightMix.BF16), m.weights(WeightMix.Q4_K_M)));
                if (Assembled.ALL && shape.equals("1b")) {
                    ONE_PART.forEach(e -> stored.add(m.weights(e)));
                }
                for (SortedMap<Role, Weight> weights : stored) {
                    for (StepSpec s : Telling.programs(m.model(), 512, 8, 2048)) {
                        Telling.tell(device, m.model(), weights, s);
                    }
                }
            }
        }
        Assembled.assemble("real-sizes", device);
    }
}
