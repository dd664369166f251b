package poot.parity;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.executor.Executor;
import poot.families.Families;
import poot.fixtures.FamilyFixtures;
import poot.fixtures.Fixture;
import poot.fixtures.Parity;
import poot.golden.OpenModel;
import poot.step.ExecutorSession;
import poot.step.OracleSession;
import poot.step.Vulkan;

/** The step programs of a fixture on a Vulkan device. */
class FamilyVulkanTest {
    static Stream<Fixture> fixtures() {
        return Stream.of("llama").flatMap(name -> FamilyFixtures.TABLE.getOrDefault(name, List.of()).stream());
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void steps(Fixture fixture, @TempDir Path directory) throws Exception {
        try (OpenModel m = OpenModel.open(fixture.write(directory), Families.registry());
                Executor executor = Vulkan.open()) {
            new Parity(m.model().config().vocabulary(), base -> new OracleSession(m.model(), m.weights(), base),
                    base -> new ExecutorSession(m.model(), m.weights(), base, executor), 2e-5f).check(m.model());
        }
    }
}
