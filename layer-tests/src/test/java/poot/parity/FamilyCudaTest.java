package poot.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorOptions;
import poot.backend.cuda.CudaExecutorProvider;
import poot.backend.cuda.driver.TestDriver;
import poot.families.Families;
import poot.fixtures.FamilyFixtures;
import poot.fixtures.Fixture;
import poot.fixtures.Parity;
import poot.golden.OpenModel;
import poot.step.ExecutorSession;
import poot.step.OracleSession;

/** The step programs of fixtures by the CUDA backend, over the test driver; of all with {@code -Dpoot.cuda.tests=all}. */
class FamilyCudaTest {
    static Stream<Fixture> fixtures() {
        boolean all = System.getProperty("poot.cuda.tests", "few").equals("all");
        return (all ? FamilyFixtures.TABLE.keySet().stream() : Stream.of("llama")).flatMap(name -> FamilyFixtures.TABLE.getOrDefault(name, List.of()).stream());
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void stepsByCuda(Fixture fixture, @TempDir Path directory) throws Exception {
        TestDriver driver = TestDriver.require();
        try (OpenModel m = OpenModel.open(fixture.write(directory), Families.registry());
                Executor executor = new CudaExecutorProvider().open(ExecutorOptions.DEFAULT)) {
            new Parity(m.model().config().vocabulary(), base -> new OracleSession(m.model(), m.weights(), base),
                    base -> new ExecutorSession(m.model(), m.weights(), base, executor), 2e-5f).check(m.model());
        }
        assertEquals(List.of(), driver.faults());
        assertEquals(0, driver.alive(), "handles of the driver that nobody gave back");
    }
}
