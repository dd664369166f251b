package poot.assembly;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import poot.api.model.StepSpec;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.Launch;
import poot.serve.bench.BenchShape;
import poot.serve.bench.WeightMix;

/** What a device is told for one token of a model of real size; written to {@code target/dispatches.md}. */
class DispatchTest {
    @TempDir
    private Path directory;

    @Test
    void aDecodedTokenOfTheShapeOf1b() throws Exception {
        StringBuilder table = new StringBuilder("| weights | kernels | copies and fills | barriers | kernels by name |\n|---|---|---|---|---|\n");
        BenchShape shape = BenchShape.named("1b");
        try (LargeModel m = LargeModel.write(directory, shape)) {
            for (WeightMix mix : List.of(WeightMix.BF16, WeightMix.Q4_K_M)) {
                StepSpec token = Telling.programs(m.model(), 512, 8, 2048).getFirst();
                List<Command> told = Telling.tell(DryDevice.cuda(90), m.model(), m.weights(mix), token);
                long kernels = told.stream().filter(c -> c instanceof Launch).count();
                long barriers = told.stream().filter(Command::after).count();
                Map<String, Long> names = told.stream().filter(c -> c instanceof Launch).map(c -> ((Launch) c).kernel().kernel().name())
                        .collect(Collectors.groupingBy(n -> n, TreeMap::new, Collectors.counting()));
                table.append("| ").append(mix).append(" | ").append(kernels).append(" | ").append(told.size() - kernels).append(" | ")
                        .append(barriers).append(" | ").append(names.entrySet().stream().map(e -> e.getKey() + " " + e.getValue())
                        .collect(Collectors.joining(", "))).append(" |\n");
                assertTrue(kernels <= 7L * shape.layers() + 10, kernels + " kernels for a token: " + names);
            }
        }
        Files.writeString(Path.of("target", "dispatches.md"), table);
    }
}
