package poot.addamodel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.driver.DriverOptions;
import poot.api.driver.GenerateLimits;
import poot.api.driver.Generation;
import poot.api.driver.HeadKind;
import poot.api.driver.InputValue;
import poot.api.driver.RequestInputs;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.api.graph.Shape;
import poot.api.model.ConfigSource;
import poot.api.model.FamilyEntry;
import poot.api.model.KvLayout;
import poot.api.model.Model;
import poot.api.model.RawConfig;
import poot.api.model.StepShape;
import poot.core.checkpoint.SafetensorsWriter;
import poot.fixtures.MemoryStore;
import poot.fixtures.RandomWeights;
import poot.golden.OpenModel;
import poot.oracle.Tensor;
import poot.step.Backend;
import poot.step.Chunk;
import poot.step.OracleSession;
import poot.step.Serving;
import tools.jackson.databind.json.JsonMapper;

/**
 * Each added family served from a checkpoint on disk through the public API, with no edit outside this package, and
 * checked against the oracle.
 */
class AddAModelTest {
    private static final int[] PROMPT = {5, 60, 17, 17, 2, 41, 33, 8, 9, 50, 1, 29};
    private static final int[] OTHER = {11, 4, 62, 30, 7};
    private static final int[] TAGS = {1, 4, 0, 2, 2};
    private static final int COUNT = 12;
    private static final DriverOptions OPTIONS = DriverOptions.DEFAULT.withRows(2).withCapacity(32)
            .withPrefillChunk(8).withHeads(EnumSet.of(HeadKind.GREEDY, HeadKind.LOGITS)).withVerify(true);

    static Stream<FamilyEntry> families() {
        return Families.ALL.stream();
    }

    private static OpenModel load(FamilyEntry family, Path directory) throws Exception {
        Files.writeString(directory.resolve("config.json"), JsonMapper.shared().writeValueAsString(Families.config(family)));
        write(family, directory.resolve("model.safetensors"));
        return OpenModel.open(directory, poot.families.Families.builtinPlus(Families.ALL.toArray(FamilyEntry[]::new)));
    }

    private static void write(FamilyEntry family, Path file) throws Exception {
        RawConfig config = RawConfig.of(ConfigSource.HF, file, Families.config(family));
        Model model = family.build().build(config, new MemoryStore(Map.of())).model();
        SafetensorsWriter writer = new SafetensorsWriter();
        RandomWeights.of(model.weights()).forEach((name, t) -> writer.floats(name, t.shape(), t.floats()));
        writer.write(file);
    }

    private static OracleSession oracle(OpenModel m) {
        return new OracleSession(m.model(), m.weights(), StepShape.step(1, 1, 32).withLayout(new KvLayout.Contiguous(2)));
    }

    @ParameterizedTest
    @MethodSource("families")
    void servesWithNoOtherEdit(FamilyEntry family, @TempDir Path directory) throws Exception {
        try (OpenModel m = load(family, directory); Executor executor = Backend.CPU.open();
                ServingDriver driver = Serving.open(m.handle(), executor, OPTIONS); OracleSession oracle = oracle(m)) {
            assertEquals(family.family(), driver.config().family());
            float[][] expected = oracle.step(new Chunk(0, 0, PROMPT), new Chunk(1, 0, OTHER));
            assertArrayEquals(expected[0], Serving.logits(driver, SeqRequest.of(PROMPT), 8), 1e-4f);
            assertArrayEquals(expected[0], Serving.logits(driver, SeqRequest.of(PROMPT), 1), 1e-4f);
            List<Sequence> both = new ArrayList<>();
            for (int[] prompt : List.of(PROMPT, OTHER)) {
                both.add(driver.open(SeqRequest.of(prompt).withLogits()));
            }
            List<float[]> batched = Serving.logits(driver, both, 8);
            both.forEach(driver::release);
            assertArrayEquals(expected[0], batched.get(0), 1e-4f);
            assertArrayEquals(expected[1], batched.get(1), 1e-4f);
        }
    }

    @ParameterizedTest
    @MethodSource("families")
    void generatesWhatTheOracleDoes(FamilyEntry family, @TempDir Path directory) throws Exception {
        try (OpenModel m = load(family, directory); Executor executor = Backend.CPU.open();
                ServingDriver driver = Serving.open(m.handle(), executor, OPTIONS); OracleSession oracle = oracle(m)) {
            List<int[]> expected = oracle.greedy(List.of(PROMPT, OTHER), COUNT);
            Generation g = driver.generate(SeqRequest.of(PROMPT), new GenerateLimits(COUNT, Set.of()), pick -> true);
            assertArrayEquals(expected.get(0), g.tokens());
            List<int[]> together = Serving.continuations(driver, List.of(SeqRequest.of(PROMPT), SeqRequest.of(OTHER)), COUNT);
            assertArrayEquals(expected.get(0), together.get(0));
            assertArrayEquals(expected.get(1), together.get(1));
        }
    }

    /** The driver binds an input it has never heard of: by position, in chunks, beside a row that gives none. */
    @Test
    void bindsAnInputOnlyTheFamilyKnows(@TempDir Path directory) throws Exception {
        SeqRequest tagged = SeqRequest.of(OTHER).withInputs(new RequestInputs(
                Map.of(Families.TAG.name(), InputValue.dense(InputValue.words(TAGS)))));
        StepShape shape = StepShape.step(1, OTHER.length, 32).withLayout(new KvLayout.Contiguous(2));
        try (OpenModel m = load(Families.TAGGED, directory); Executor executor = Backend.CPU.open();
                ServingDriver driver = Serving.open(m.handle(), executor, OPTIONS); OracleSession oracle = oracle(m)) {
            float[] expected = oracle.step(shape, List.of(new Chunk(0, 0, OTHER)),
                    Map.of(Families.TAG.name(), Tensor.i32(Shape.of(1, OTHER.length), TAGS)))[0];
            float[] plain = oracle.step(new Chunk(1, 0, OTHER))[0];
            assertFalse(Arrays.equals(expected, plain));
            assertArrayEquals(expected, Serving.logits(driver, tagged, 8), 1e-4f);
            assertArrayEquals(expected, Serving.logits(driver, tagged, 2), 1e-4f);
            List<Sequence> both = List.of(driver.open(tagged.withLogits()), driver.open(SeqRequest.of(OTHER).withLogits()));
            List<float[]> batched = Serving.logits(driver, both, 8);
            assertArrayEquals(expected, batched.get(0), 1e-4f);
            assertArrayEquals(plain, batched.get(1), 1e-4f);
        }
    }
}
