package poot.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorOptions;
import poot.backend.cuda.CudaExecutorProvider;
import poot.backend.cuda.driver.TestDriver;
import poot.golden.GoldenFamilies.Case;
import poot.step.ExecutorSession;

/**
 * Golden checkpoints compiled for CUDA and run by that backend over the test driver, its kernels interpreted instruction by
 * instruction. With {@code -Dpoot.cuda.tests=all}, as {@code ./check modes} has it, all of them; else a few.
 */
class GoldenCudaTest {
    private static final boolean ALL = System.getProperty("poot.cuda.tests", "few").equals("all");
    /** One of each kind of attention, norm and rotation, both forms among them. */
    private static final Set<String> FEW = Set.of("llama GGUF", "gemma2 HF", "bert-mean HF");

    /** Decoders to run. */
    static Stream<Case> decoders() {
        return GoldenFamilies.decoders().filter(GoldenCudaTest::isChosen);
    }

    /** Encoders to run. */
    static Stream<Case> encoders() {
        return GoldenFamilies.encoders().filter(GoldenCudaTest::isChosen);
    }

    private static boolean isChosen(Case c) {
        return ALL || FEW.contains(c.toString());
    }

    @ParameterizedTest
    @MethodSource("decoders")
    void decoder(Case c) throws Exception {
        onCuda(c, GoldenRuns::decoder);
    }

    @ParameterizedTest
    @MethodSource("encoders")
    void encoder(Case c) throws Exception {
        onCuda(c, GoldenRuns::encoder);
    }

    /** One way to run a checkpoint. */
    private interface Runs {
        void of(Case c, GoldenRuns.Opener opener) throws Exception;
    }

    private static void onCuda(Case c, Runs runs) throws Exception {
        TestDriver driver = TestDriver.require();
        try (Executor executor = new CudaExecutorProvider().open(ExecutorOptions.DEFAULT)) {
            runs.of(c, (m, base) -> new ExecutorSession(m.model(), m.weights(), base, executor));
        }
        assertEquals(0, driver.faults().size(), driver.faults()::toString);
        assertEquals(0, driver.alive(), "handles of the driver that nobody gave back");
    }
}
