package poot.addamodel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.graph.Shape;
import poot.api.model.ConfigSource;
import poot.api.model.FamilyEntry;
import poot.api.model.KvForm;
import poot.api.model.KvLayout;
import poot.api.model.LoadException;
import poot.api.model.Model;
import poot.api.model.RawConfig;
import poot.api.model.StepShape;
import poot.fixtures.MemoryStore;
import poot.fixtures.RandomWeights;
import poot.oracle.Tensor;
import poot.step.Chunk;
import poot.step.OracleSession;

/** The added families under the oracle alone: however a prompt is cut into steps, its logits are the same. */
class AddAModelOracleTest {
    private static final int[] PROMPT = {5, 60, 17, 17, 2, 41, 33, 8, 9, 50, 1, 29};
    private static final int[] OTHER = {11, 4, 62, 30, 7};

    static Stream<FamilyEntry> families() {
        return Families.ALL.stream();
    }

    private static OracleSession session(FamilyEntry family, StepShape base) throws LoadException {
        RawConfig config = RawConfig.of(ConfigSource.HF, Path.of("config.json"), Families.config(family));
        Model model = family.build().build(config, new MemoryStore(Map.of())).model();
        return new OracleSession(model, model.weights().bind(new MemoryStore(RandomWeights.of(model.weights()))), base);
    }

    private static void near(float[] expected, float[] actual) {
        assertArrayEquals(expected, actual, 2e-5f);
    }

    @ParameterizedTest
    @MethodSource("families")
    void stepsMayBeCutAnywhere(FamilyEntry family) throws Exception {
        StepShape base = StepShape.step(1, 1, 32);
        float[][] all = session(family, base).stepAll(new Chunk(0, 0, PROMPT));
        OracleSession one = session(family, base);
        for (int i = 0; i < PROMPT.length; i++) {
            near(all[i], one.step(Chunk.of(0, PROMPT, i, i + 1))[0]);
        }
        OracleSession cut = session(family, base.withLayout(new KvLayout.Paged(8, 4, 1)));
        near(all[4], cut.step(Chunk.of(0, PROMPT, 0, 5))[0]);
        near(all[11], cut.step(Chunk.of(0, PROMPT, 5, 12))[0]);
    }

    @ParameterizedTest
    @MethodSource("families")
    void sequencesOfAStepKeepApart(FamilyEntry family) throws Exception {
        StepShape base = StepShape.step(1, 1, 16);
        float[] alone = session(family, base).step(new Chunk(0, 0, PROMPT))[0];
        float[] other = session(family, base).step(new Chunk(0, 0, OTHER))[0];
        OracleSession both = session(family, base.withLayout(new KvLayout.Paged(12, 4, 3)));
        float[][] rows = both.step(base.withLayout(new KvLayout.Paged(12, 4, 3)).withRows(3).withTokens(14),
                List.of(new Chunk(2, 0, OTHER), new Chunk(0, 0, PROMPT)), Map.of());
        near(other, rows[0]);
        near(alone, rows[1]);
    }

    @ParameterizedTest
    @MethodSource("families")
    void narrowCachesComeClose(FamilyEntry family) throws Exception {
        StepShape base = StepShape.step(1, 1, 16);
        float[] wide = session(family, base).step(new Chunk(0, 0, PROMPT))[0];
        assertArrayEquals(wide, session(family, base.withKv(KvForm.F16)).step(new Chunk(0, 0, PROMPT))[0], 0.02f);
        assertArrayEquals(wide, session(family, base.withKv(KvForm.BF16)).step(new Chunk(0, 0, PROMPT))[0], 0.1f);
    }

    @Test
    void tagsAreRead() throws Exception {
        StepShape shape = StepShape.step(1, OTHER.length, 16);
        List<Chunk> chunk = List.of(new Chunk(0, 0, OTHER));
        Tensor tags = Tensor.i32(Shape.of(1, 5), 1, 4, 0, 2, 2);
        float[] plain = session(Families.TAGGED, shape).step(shape, chunk, Map.of())[0];
        float[] tagged = session(Families.TAGGED, shape).step(shape, chunk, Map.of("tag", tags))[0];
        assertFalse(Arrays.equals(plain, tagged));
    }
}
