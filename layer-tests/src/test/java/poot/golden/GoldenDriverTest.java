package poot.golden;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.driver.DriverOptions;
import poot.api.driver.EncodeResult;
import poot.api.driver.EncodeRow;
import poot.api.driver.GenerateLimits;
import poot.api.driver.HeadKind;
import poot.api.driver.InputValue;
import poot.api.driver.RequestInputs;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.families.Families;
import poot.golden.GoldenFamilies.Case;
import poot.oracle.Tensor;
import poot.step.Backend;
import poot.step.Serving;

/**
 * Every golden checkpoint loaded, prepared and served on the CPU through the public API: prefilled, in chunks, token by
 * token and in a batch it gives the expected logits, and greedily the expected ids.
 */
class GoldenDriverTest {
    private static final DriverOptions OPTIONS = DriverOptions.DEFAULT.withRows(3).withCapacity(64)
            .withPrefillChunk(40).withHeads(EnumSet.of(HeadKind.GREEDY, HeadKind.LOGITS)).withEncodeTokens(48);

    private static Executor executor;

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
        Golden g = Golden.read(c.family().name());
        try (OpenModel m = OpenModel.open(g.checkpoint(c.form()), Families.registry());
                ServingDriver driver = Serving.open(m.handle(), executor, OPTIONS)) {
            logits(g, c.variant(), driver);
            ids(g, driver);
        }
    }

    private static void logits(Golden g, String variant, ServingDriver driver) throws Exception {
        for (int n = 1; n < 3; n++) {
            float[] expected = g.expected(n, variant).floats();
            SeqRequest request = SeqRequest.of(g.prompts().get(n));
            near(expected, Serving.logits(driver, request, Integer.MAX_VALUE), "prompt " + n + " at once");
            near(expected, Serving.logits(driver, request, 7), "prompt " + n + " in chunks");
            near(expected, Serving.logits(driver, request, 1), "prompt " + n + " token by token");
        }
        Tensor expected = g.expected(0, variant);
        List<float[]> positions = Serving.everyPosition(driver, g.prompts().get(0));
        int width = expected.shape().dim(1);
        for (int t = 0; t < positions.size(); t++) {
            near(Arrays.copyOfRange(expected.floats(), t * width, (t + 1) * width), positions.get(t), "prompt 0 position " + t);
        }
        List<Sequence> rows = new ArrayList<>();
        for (int[] prompt : g.prompts()) {
            rows.add(driver.open(SeqRequest.of(prompt).withLogits()));
        }
        List<float[]> batched = Serving.logits(driver, rows, Integer.MAX_VALUE);
        rows.forEach(driver::release);
        near(g.expected(1, variant).floats(), batched.get(1), "prompt 1 in a batch");
        near(g.expected(2, variant).floats(), batched.get(2), "prompt 2 in a batch");
    }

    private static void ids(Golden g, ServingDriver driver) throws Exception {
        List<SeqRequest> requests = g.prompts().stream().map(SeqRequest::of).toList();
        int count = g.greedy().get(0).length;
        List<int[]> together = Serving.continuations(driver, requests, count);
        for (int n = 0; n < requests.size(); n++) {
            assertArrayEquals(g.greedy().get(n), together.get(n), "continuation of prompt " + n + " in a batch");
            int[] alone = driver.generate(requests.get(n), new GenerateLimits(count, Set.of()), pick -> true).tokens();
            assertArrayEquals(g.greedy().get(n), alone, "continuation of prompt " + n);
        }
    }

    @ParameterizedTest
    @MethodSource("poot.golden.GoldenFamilies#encoders")
    void encoder(Case c) throws Exception {
        Golden g = Golden.read(c.family().name());
        try (OpenModel m = OpenModel.open(g.checkpoint(c.form()), Families.registry());
                ServingDriver driver = Serving.open(m.handle(), executor, OPTIONS)) {
            List<EncodeResult> together = driver.encode(g.prompts().stream().map(EncodeRow::of).toList());
            for (int n = 0; n < together.size(); n++) {
                float[] expected = g.expected(n, c.variant()).floats();
                check(expected, together.get(n), c, "prompt " + n + " in a batch");
                check(expected, driver.encode(List.of(EncodeRow.of(g.prompts().get(n)))).get(0), c, "prompt " + n + " alone");
            }
        }
    }

    /** A cross-encoder told which tokens are of the second text. */
    @Test
    void pair() throws Exception {
        Golden g = Golden.read("bert-rank");
        try (OpenModel m = OpenModel.open(g.checkpoint(Golden.Form.HF), Families.registry());
                ServingDriver driver = Serving.open(m.handle(), executor, OPTIONS)) {
            List<EncodeRow> rows = new ArrayList<>();
            for (int[] ids : g.prompts()) {
                InputValue types = InputValue.dense(InputValue.words(GoldenRuns.pairTypes(ids)));
                rows.add(EncodeRow.of(ids).withInputs(new RequestInputs(Map.of("token_types", types))));
            }
            List<EncodeResult> scores = driver.encode(rows);
            for (int n = 0; n < rows.size(); n++) {
                check(g.expected(n, "hf_pair").floats(), scores.get(n), GoldenFamilies.encoders().toList().getLast(), "pair " + n);
            }
        }
    }

    private static void check(float[] expected, EncodeResult result, Case c, String what) {
        switch (result) {
            case EncodeResult.Embedding e ->
                near(c.form() == Golden.Form.HF ? GoldenRuns.unit(expected) : expected, e.vector(), what);
            case EncodeResult.Score s -> near(expected, new float[] {s.score()}, what);
            case EncodeResult.Failed f -> throw new AssertionError(f.fault().message());
        }
    }

    private static void near(float[] expected, float[] actual, String what) {
        GoldenRuns.near(expected, actual, what);
    }
}
