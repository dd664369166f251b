package poot.golden;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;
import poot.families.Families;
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

    static Stream<Case> decoders() {
        return GoldenFamilies.decoders();
    }

    static Stream<Case> encoders() {
        return GoldenFamilies.encoders();
    }

    @ParameterizedTest
    @MethodSource("decoders")
    void decoder(Case c) throws Exception {
        Golden g = Golden.read(c.family().name());
        try (OpenModel m = OpenModel.open(g.checkpoint(c.form()), Families.registry())) {
            GoldenRuns.everyPosition(g, c.variant(), m, CPU);
            GoldenRuns.chunked(g, c.variant(), m, CPU);
            GoldenRuns.tokenByToken(g, c.variant(), m, CPU);
            GoldenRuns.batched(g, c.variant(), m, CPU);
        }
    }

    @ParameterizedTest
    @MethodSource("encoders")
    void encoder(Case c) throws Exception {
        Golden g = Golden.read(c.family().name());
        try (OpenModel m = OpenModel.open(g.checkpoint(c.form()), Families.registry())) {
            boolean ranks = m.model().schema().program(ProgramName.ENCODE).orElseThrow().outputs().contains(ModelSchema.SCORE);
            boolean unit = !ranks && c.form() == Golden.Form.HF;
            GoldenRuns.pooled(g, c.variant(), m, ranks ? ModelSchema.SCORE : ModelSchema.EMBEDDING, unit, CPU);
        }
    }
}
