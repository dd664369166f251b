package poot.parity;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.driver.DriverOptions;
import poot.api.driver.EncodeResult;
import poot.api.driver.EncodeRow;
import poot.api.driver.GenerateLimits;
import poot.api.driver.HeadKind;
import poot.api.driver.SamplingParams;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.api.graph.ElementType;
import poot.families.Families;
import poot.fixtures.Fixture;
import poot.golden.OpenModel;
import poot.step.Serving;

/** On the CPU what a row gives does not depend on the rows beside it. */
class CompanyTest {
    private static final DriverOptions OPTIONS = DriverOptions.DEFAULT.withRows(6).withCapacity(64)
            .withPrefillChunk(32).withHeads(EnumSet.allOf(HeadKind.class)).withLogprobs(2).withEncodeTokens(32);
    private static final int[] LENGTHS = {3, 7, 5, 2, 20, 31};

    private final Random random = new Random(5);

    private int[] tokens(int n, int vocabulary) {
        return random.ints(n, 1, vocabulary).toArray();
    }

    /**
     * Prompts of about one length are fed by one pass: the logits of a row are the same bits whoever the others are, and
     * within rounding those of the row alone, whose products the backend may add up in another order.
     */
    @ParameterizedTest
    @ValueSource(strings = {"llama", "gemma2", "bloom"})
    void promptsFedTogether(String name, @TempDir Path directory) throws Exception {
        for (ElementType kv : List.of(ElementType.F32, ElementType.F16, ElementType.BF16)) {
            try (OpenModel m = OpenModel.open(new Fixture(name).write(directory.resolve(kv.name())), Families.registry());
                    Executor executor = CpuJudge.open();
                    ServingDriver d = Serving.open(m.handle(), executor, OPTIONS.withKv(kv))) {
                assertTrue(d.entries().contains("step 4x8 logits"), d.entries().toString());
                int vocabulary = m.model().config().vocabulary();
                SeqRequest row = SeqRequest.of(tokens(6, vocabulary)).withLogits();
                float[] alone = Serving.logits(d, row, Integer.MAX_VALUE);
                float[] beside = null;
                for (int place = 0; place < 4; place++) {
                    List<Sequence> open = new ArrayList<>();
                    for (int i = 0; i < 4; i++) {
                        open.add(d.open(i == place ? row : SeqRequest.of(tokens(2 + random.nextInt(7), vocabulary)).withLogits()));
                    }
                    float[] logits = Serving.logits(d, open, Integer.MAX_VALUE).get(place);
                    open.forEach(d::release);
                    beside = beside == null ? logits : beside;
                    assertArrayEquals(beside, logits, name + " " + kv + " at place " + place);
                }
                assertArrayEquals(alone, beside, 1e-5f, name + " " + kv);
            }
        }
    }

    /** What is chosen for a row, greedily and with a seed, is chosen for it in any company. */
    @ParameterizedTest
    @ValueSource(strings = {"llama", "gemma2", "bloom"})
    void continuations(String name, @TempDir Path directory) throws Exception {
        try (OpenModel m = OpenModel.open(new Fixture(name).write(directory), Families.registry()); Executor executor = CpuJudge.open();
                ServingDriver d = Serving.open(m.handle(), executor, OPTIONS)) {
            List<SeqRequest> requests = new ArrayList<>();
            for (int i = 0; i < LENGTHS.length; i++) {
                SeqRequest r = SeqRequest.of(tokens(LENGTHS[i], m.model().config().vocabulary()));
                requests.add(i % 2 == 0 ? r : r.withSampling(SamplingParams.draw(1.1f, 40 + i).withTopP(0.95f)));
            }
            List<int[]> together = Serving.continuations(d, requests, 24);
            for (int i = 0; i < LENGTHS.length; i++) {
                int[] alone = d.generate(requests.get(i), new GenerateLimits(24, Set.of()), t -> true).tokens();
                assertArrayEquals(alone, together.get(i), name + " row " + i);
            }
        }
    }

    /**
     * Texts encoded together, some of one pass, give the bits each gives alone; a score, whose last product has a row a
     * text, within rounding.
     */
    @ParameterizedTest
    @ValueSource(strings = {"bert-mean", "bert-rank", "llama"})
    void textsEncodedTogether(String name, @TempDir Path directory) throws Exception {
        try (OpenModel m = OpenModel.open(new Fixture(name).write(directory), Families.registry()); Executor executor = CpuJudge.open();
                ServingDriver d = Serving.open(m.handle(), executor, OPTIONS)) {
            assertTrue(d.entries().stream().anyMatch(e -> e.startsWith("encode 4x")), d.entries().toString());
            List<EncodeRow> rows = new ArrayList<>();
            for (int n : new int[] {3, 20, 8, 1, 31, 7, 30, 5, 29, 6}) {
                rows.add(EncodeRow.of(tokens(n, m.model().config().vocabulary())));
            }
            List<EncodeResult> together = d.encode(rows);
            assertEquals(rows.size(), together.size());
            for (int i = 0; i < rows.size(); i++) {
                float[] alone = vector(d.encode(List.of(rows.get(i))).getFirst());
                assertArrayEquals(alone, vector(together.get(i)), alone.length == 1 ? 1e-5f : 0f, name + " row " + i);
            }
        }
    }

    private static float[] vector(EncodeResult r) {
        return r instanceof EncodeResult.Score s ? new float[] {s.score()} : assertInstanceOf(EncodeResult.Embedding.class, r).vector();
    }
}
