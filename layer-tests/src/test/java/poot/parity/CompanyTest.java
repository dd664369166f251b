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
import poot.acceptance.Repository;
import poot.api.model.KvForm;
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
     * those of the row alone.
     */
    @ParameterizedTest
    @ValueSource(strings = {"llama", "gemma2", "bloom"})
    void promptsFedTogether(String name, @TempDir Path directory) throws Exception {
        for (KvForm kv : List.of(KvForm.F32, KvForm.F16, KvForm.BF16)) {
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
                assertArrayEquals(alone, beside, name + " " + kv);
            }
        }
    }

    /** Eight rows of a trained model, fed together and then decoded together, give each the bits it has alone. */
    @ParameterizedTest
    @ValueSource(strings = {"poot-tiny-f16.gguf", "poot-tiny-q8_0.gguf"})
    void bitsOfEightRows(String file) throws Exception {
        DriverOptions options = DriverOptions.DEFAULT.withRows(8).withCapacity(128).withPrefillChunk(32)
                .withHeads(EnumSet.of(HeadKind.LOGITS));
        try (OpenModel m = OpenModel.open(Repository.demoModel().resolve(file), Families.registry()); Executor executor = CpuJudge.open();
                ServingDriver d = Serving.open(m.handle(), executor, options)) {
            int vocabulary = m.model().config().vocabulary();
            List<SeqRequest> requests = new ArrayList<>();
            List<Sequence> rows = new ArrayList<>();
            for (int n : new int[] {7, 30, 5, 20, 8, 2, 6, 31}) {
                requests.add(SeqRequest.of(tokens(n, vocabulary)).withLogits());
                rows.add(d.open(requests.getLast()));
            }
            List<List<float[]>> together = new ArrayList<>();
            for (int step = 0; step < 12; step++) {
                together.add(Serving.logits(d, rows, Integer.MAX_VALUE));
                for (Sequence s : rows) {
                    d.commit(s, 1 + (int) (s.id() * 31 + step * 7) % (vocabulary - 1));
                }
            }
            rows.forEach(d::release);
            for (int i = 0; i < rows.size(); i++) {
                Sequence alone = d.open(requests.get(i));
                for (int step = 0; step < together.size(); step++) {
                    float[] logits = Serving.logits(d, List.of(alone), Integer.MAX_VALUE).getFirst();
                    assertArrayEquals(logits, together.get(step).get(i), file + " row " + i + " step " + step);
                    d.commit(alone, 1 + (int) (rows.get(i).id() * 31 + step * 7) % (vocabulary - 1));
                }
                d.release(alone);
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
            List<int[]> together = Serving.continuations(d, requests, 12);
            for (int i = 0; i < LENGTHS.length; i++) {
                int[] alone = d.generate(requests.get(i), new GenerateLimits(12, Set.of()), t -> true).tokens();
                assertArrayEquals(alone, together.get(i), name + " row " + i);
            }
        }
    }

    /** Texts encoded together, some of one pass, give the bits each gives alone. */
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
                assertArrayEquals(alone, vector(together.get(i)), name + " row " + i);
            }
        }
    }

    private static float[] vector(EncodeResult r) {
        return r instanceof EncodeResult.Score s ? new float[] {s.score()} : assertInstanceOf(EncodeResult.Embedding.class, r).vector();
    }
}
