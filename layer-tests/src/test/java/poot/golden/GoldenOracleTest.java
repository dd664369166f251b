package poot.golden;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.graph.Shape;
import poot.api.model.ModelSchema;
import poot.api.model.StepShape;
import poot.families.Families;
import poot.golden.GoldenFamilies.Case;
import poot.oracle.Tensor;
import poot.step.OracleSession;
import poot.step.Session;

/** Every golden checkpoint through the oracle: the families' graphs mean what the references compute. */
class GoldenOracleTest {
    private static final GoldenRuns.Opener ORACLE = (m, base) -> new OracleSession(m.model(), m.weights(), base);

    @ParameterizedTest
    @MethodSource("poot.golden.GoldenFamilies#decoders")
    void decoder(Case c) throws Exception {
        GoldenRuns.decoder(c, ORACLE);
    }

    @ParameterizedTest
    @MethodSource("poot.golden.GoldenFamilies#encoders")
    void encoder(Case c) throws Exception {
        GoldenRuns.encoder(c, ORACLE);
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
