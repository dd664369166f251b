package poot.golden;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.golden.GoldenFamilies.Case;
import poot.step.Backend;
import poot.step.ExecutorSession;

/** Every golden checkpoint compiled for the CPU and run by it, step by step without a driver. */
class GoldenCpuTest {
    private static Executor executor;

    private static final GoldenRuns.Opener CPU = (m, base) -> new ExecutorSession(m.model(), m.weights(), base, executor);

    @BeforeAll
    static void open() throws ExecutorException {
        executor = Backend.CPU.open();
    }

    @AfterAll
    static void close() {
        executor.close();
    }

    @ParameterizedTest
    @MethodSource("poot.golden.GoldenFamilies#decoders")
    void decoder(Case c) throws Exception {
        GoldenRuns.decoder(c, CPU);
    }

    @ParameterizedTest
    @MethodSource("poot.golden.GoldenFamilies#encoders")
    void encoder(Case c) throws Exception {
        GoldenRuns.encoder(c, CPU);
    }
}
