package poot.golden;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.golden.GoldenFamilies.Case;
import poot.step.OracleSession;

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
}
