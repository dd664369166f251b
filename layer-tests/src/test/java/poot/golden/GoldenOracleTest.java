package poot.golden;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.graph.Shape;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;
import poot.api.model.StepShape;
import poot.families.Families;
import poot.golden.GoldenFamilies.Case;
import poot.oracle.Tensor;
import poot.step.OracleSession;
import poot.step.Session;

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

    /** A cross-encoder told which tokens are of the second text. */
    @Test
    void pair() throws Exception {
        Golden g = Golden.read("bert-rank");
        try (OpenModel m = OpenModel.open(g.checkpoint(Golden.Form.HF), Families.registry());
                Session s = ORACLE.open(m, StepShape.encode(1, 1))) {
            for (int n = 0; n < g.prompts().size(); n++) {
                int[] ids = g.prompts().get(n);
                Tensor types = Tensor.i32(Shape.of(1, ids.length), GoldenRuns.pairTypes(ids));
                float[] score = s.encode(ModelSchema.SCORE, List.of(ids), Map.of("token_types", types))[0];
                GoldenRuns.near(g.expected(n, "hf_pair").floats(), score, "pair " + n);
            }
        }
    }
}
