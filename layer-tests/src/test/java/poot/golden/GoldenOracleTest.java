package poot.golden;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;
import poot.families.Families;
import poot.golden.GoldenFamilies.Case;
import poot.step.OracleSession;

/** Every golden checkpoint through the oracle: the families' graphs mean what the references compute. */
class GoldenOracleTest {
    private static final GoldenRuns.Opener ORACLE = (m, base) -> new OracleSession(m.model(), m.weights(), base);

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
            GoldenRuns.everyPosition(g, c.variant(), m, ORACLE);
            GoldenRuns.chunked(g, c.variant(), m, ORACLE);
            GoldenRuns.tokenByToken(g, c.variant(), m, ORACLE);
            GoldenRuns.batched(g, c.variant(), m, ORACLE);
        }
    }

    @ParameterizedTest
    @MethodSource("encoders")
    void encoder(Case c) throws Exception {
        Golden g = Golden.read(c.family().name());
        try (OpenModel m = OpenModel.open(g.checkpoint(c.form()), Families.registry())) {
            boolean ranks = m.model().schema().program(ProgramName.ENCODE).orElseThrow().outputs().contains(ModelSchema.SCORE);
            boolean unit = !ranks && c.form() == Golden.Form.HF;
            GoldenRuns.pooled(g, c.variant(), m, ranks ? ModelSchema.SCORE : ModelSchema.EMBEDDING, unit, ORACLE);
        }
    }
}
