package poot.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import poot.api.driver.CacheUse;
import poot.api.driver.DriverOptions;
import poot.api.driver.GenerateLimits;
import poot.api.driver.InputValue;
import poot.api.driver.Preparation;
import poot.api.driver.PrepareFault;
import poot.api.driver.RequestInputs;
import poot.api.driver.RowResult;
import poot.api.driver.RowWork;
import poot.api.driver.SamplingParams;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.driver.StepException;
import poot.api.driver.StepFault;
import poot.api.driver.UnpreparedDriver;
import poot.api.model.KvForm;
import poot.core.driver.Driver;
import poot.core.driver.ModelHandle;
import poot.oracleexec.OracleExecutor;

/** A pool of blocks gives what rows of their own give, whoever shares it, and however often a sequence begins anew. */
class PagedTest {
    private static final int[] PROMPT = {5, 9, 1, 17, 3, 22, 8, 8, 13, 2, 19};
    private static final int[] OTHER = {7, 7, 21};
    private static final DriverOptions PAGED = Toy.OPTIONS.withPool(24, 4, true);

    /** Without the tokens that fail a row. */
    private static final SamplingParams SOUND = SamplingParams.GREEDY.withBias(new TreeMap<>(Map.of(ToyModel.SPOILT, -50f, ToyModel.REFUSED, -50f)));
    private static final List<SamplingParams> KINDS = List.of(SamplingParams.GREEDY, SamplingParams.draw(0.8f, 77).withTopP(0.6f),
            SOUND.withRepetition(1.4f).withFrequency(0.3f).withPresence(0.1f),
            SOUND.withTemperature(0.9f).withSeed(5).withFrequency(0.5f));

    private static int[] generated(ServingDriver d, SeqRequest r, int n) throws Exception {
        return d.generate(r, new GenerateLimits(n, Set.of()), t -> true).tokens();
    }

    @Test
    void aPoolGivesWhatRowsOfTheirOwnGive() throws Exception {
        for (KvForm kv : List.of(KvForm.F32, KvForm.F16)) {
            ToyModel model = new ToyModel(kv == KvForm.F32, List.of());
            try (ServingDriver own = Toy.serving(model, Toy.OPTIONS.withKv(kv)); ServingDriver d = Toy.serving(model, PAGED.withKv(kv))) {
                for (int[] prompt : List.of(PROMPT, OTHER, new int[] {4})) {
                    List<float[]> expected = Toy.logits(own, SeqRequest.of(prompt), 12);
                    List<float[]> got = Toy.logits(d, SeqRequest.of(prompt), 12);
                    for (int i = 0; i < expected.size(); i++) {
                        assertArrayEquals(expected.get(i), got.get(i), "token " + i);
                    }
                    d.checkIntegrity();
                }
            }
        }
    }

    @Test
    void aBeginningThatWasFedIsNotFedAgain() throws Exception {
        try (ServingDriver d = Toy.serving(ToyModel.plain(), PAGED)) {
            List<float[]> cold = Toy.logits(d, SeqRequest.of(PROMPT), 8);
            assertEquals(new CacheUse(24, 20, 4, 0, 4, 0, 11), d.cache());
            Sequence s = d.open(SeqRequest.of(PROMPT).withLogits());
            assertEquals(10, s.reused(), "two blocks and the first two tokens of a third");
            assertEquals(10, s.fed());
            assertEquals(1, s.pending());
            d.release(s);
            List<float[]> warm = Toy.logits(d, SeqRequest.of(PROMPT), 8);
            for (int i = 0; i < cold.size(); i++) {
                assertArrayEquals(cold.get(i), warm.get(i), "token " + i);
            }
            int[] longer = Arrays.copyOf(PROMPT, 16);
            for (int i = 0; i < 5; i++) {
                longer[PROMPT.length + i] = Toy.argMax(cold.get(i));
            }
            Sequence further = d.open(SeqRequest.of(longer).withLogits());
            assertEquals(15, further.reused(), "generated tokens are found too, all but the last token");
            assertArrayEquals(cold.get(5), ((RowResult.Logits) Toy.feed(d, further)).logits());
            assertEquals(10 + 10 + 15, d.cache().hits());
            d.checkIntegrity();
        }
    }

    @Test
    void rowsThatBeginAlikeShareBlocksWhileTheyRun() throws Exception {
        try (ServingDriver own = Toy.serving(ToyModel.plain(), Toy.OPTIONS); ServingDriver d = Toy.serving(ToyModel.plain(), PAGED)) {
            float[] expected = Toy.logits(own, SeqRequest.of(PROMPT), 1).getFirst();
            SeqRequest request = SeqRequest.of(PROMPT).withLogits();
            List<Sequence> rows = List.of(d.open(request), d.open(request), d.open(request));
            for (Sequence s : rows) {
                assertArrayEquals(expected, ((RowResult.Logits) Toy.feed(d, s)).logits());
                d.checkIntegrity();
            }
            assertEquals(8, rows.get(2).reused(), "found when it was fed, not when it was opened");
            assertEquals(2 + 3, d.cache().used());
        }
    }

    @Test
    void aChunkOfALongPromptIsFoundAsSoonAsItIsFed() throws Exception {
        DriverOptions chunks = PAGED.withPrefillChunk(4);
        try (ServingDriver own = Toy.serving(ToyModel.plain(), Toy.OPTIONS); ServingDriver d = Toy.serving(ToyModel.plain(), chunks);
                ServingDriver alone = Toy.serving(ToyModel.plain(), chunks.withPool(24, 4, false))) {
            assertTrue(d.entries().stream().noneMatch(e -> e.endsWith("feed")), "every chunk is judged, for others may share it");
            assertTrue(alone.entries().stream().anyMatch(e -> e.endsWith("feed")), "nobody shares it");
            SeqRequest request = SeqRequest.of(PROMPT).withLogits();
            Sequence first = d.open(request);
            Sequence second = d.open(request);
            assertTrue(first.shares());
            for (int fed = 4; fed <= 8; fed += 4) {
                assertInstanceOf(RowResult.Fed.class, d.step(List.of(new RowWork(first, 4))).getFirst());
                assertTrue(d.reserve(second, 0));
                assertEquals(fed, second.reused());
                d.checkIntegrity();
            }
            float[] expected = Toy.logits(own, request, 1).getFirst();
            assertArrayEquals(expected, ((RowResult.Logits) Toy.feed(d, second)).logits());
            assertArrayEquals(expected, ((RowResult.Logits) Toy.feed(d, first)).logits());
            d.checkIntegrity();
            Sequence apart = alone.open(request);
            assertFalse(apart.shares());
            assertArrayEquals(expected, ((RowResult.Logits) Toy.feed(alone, apart)).logits());
        }
    }

    @Test
    void aSuspendedSequenceGoesOnAsIfNothingHadBeen() throws Exception {
        for (DriverOptions options : List.of(Toy.OPTIONS, PAGED, Toy.OPTIONS.withPool(24, 4, false))) {
            ToyModel model = new ToyModel(options != PAGED, List.of());
            try (ServingDriver d = Toy.serving(model, options); ServingDriver own = Toy.serving(model, Toy.OPTIONS)) {
                for (SamplingParams kind : KINDS) {
                    SeqRequest r = SeqRequest.of(PROMPT).withSampling(kind);
                    int[] expected = generated(own, r, 12);
                    assertEquals(12, expected.length);
                    for (int each = 1; each <= 3; each += 2) {
                        assertArrayEquals(expected, interrupted(d, r, 12, each), kind + " suspended every " + each);
                    }
                }
                assertEquals(0, d.cache().used());
            }
        }
    }

    /** Generates, suspending the sequence in the middle of its prompt and around every {@code each}th commit. */
    private static int[] interrupted(ServingDriver d, SeqRequest r, int n, int each) throws Exception {
        Sequence s = d.open(r);
        if (s.pending() > 5) {
            d.step(List.of(new RowWork(s, 5)));
        }
        d.suspend(s);
        assertEquals(0, s.fed());
        int[] out = new int[n];
        for (int i = 0; i < n; i++) {
            RowResult result = Toy.feed(d, s);
            out[i] = assertInstanceOf(RowResult.Picked.class, result, result.toString()).pick().token();
            if (i % each == 0 && i % 2 == 0) {
                d.suspend(s);
            }
            d.commit(s, out[i]);
            if (i % each == 0 && i % 2 == 1) {
                d.suspend(s);
            }
            d.checkIntegrity();
        }
        d.release(s);
        return out;
    }

    @Test
    void aDryPoolLosesNothing() throws Exception {
        try (ServingDriver d = Toy.serving(ToyModel.plain(), Toy.OPTIONS.withPool(8, 4, false))) {
            int[] expected = generated(d, SeqRequest.of(OTHER), 6);
            Sequence big = d.open(SeqRequest.of(new int[25]));
            assertTrue(d.reserve(big, 25));
            Sequence small = d.open(SeqRequest.of(OTHER));
            assertTrue(d.reserve(small, 3));
            assertEquals(new CacheUse(8, 0, 0, 8, 4, 0, 0), d.cache());
            Sequence late = d.open(SeqRequest.of(OTHER));
            assertFalse(d.reserve(late, 1));
            List<RowResult> results = d.step(List.of(RowWork.of(late), RowWork.of(small)));
            StepFault.PoolDry dry = assertInstanceOf(StepFault.PoolDry.class, assertInstanceOf(RowResult.Failed.class, results.get(0)).fault());
            assertEquals(3, dry.tokens(), dry.message());
            assertEquals(Sequence.Phase.PENDING, late.phase());
            assertEquals(expected[0], assertInstanceOf(RowResult.Picked.class, results.get(1)).pick().token());
            d.checkIntegrity();
            d.suspend(big);
            for (int i = 0; i < 6; i++) {
                int token = assertInstanceOf(RowResult.Picked.class, Toy.feed(d, late)).pick().token();
                assertEquals(expected[i], token);
                d.commit(late, token);
                d.checkIntegrity();
            }
            d.release(late);
            d.release(small);
            assertInstanceOf(RowResult.Picked.class, Toy.feed(d, big));
        }
    }

    @Test
    void aRewoundSequenceWritesNoBlockOthersSee() throws Exception {
        try (ServingDriver d = Toy.serving(ToyModel.plain(), PAGED)) {
            Sequence first = d.open(SeqRequest.of(PROMPT).withLogits());
            float[] expected = ((RowResult.Logits) Toy.feed(d, first)).logits();
            Sequence second = d.open(SeqRequest.of(PROMPT).withLogits());
            Toy.feed(d, second);
            d.rewind(second, 6);
            d.checkIntegrity();
            d.commit(second, 30 - 1);
            d.commit(second, 2);
            d.commit(second, 2);
            Toy.feed(d, second);
            d.checkIntegrity();
            d.rewind(first, PROMPT.length);
            assertArrayEquals(expected, ((RowResult.Logits) Toy.feed(d, first)).logits());
            d.rewind(first, 8);
            d.commit(first, PROMPT[8]);
            d.commit(first, PROMPT[9]);
            d.commit(first, PROMPT[10]);
            assertArrayEquals(expected, ((RowResult.Logits) Toy.feed(d, first)).logits());
            d.checkIntegrity();
        }
    }

    @Test
    void whatAFailedSequenceWroteReachesNobody() throws Exception {
        try (ServingDriver d = Toy.serving(ToyModel.plain(), Toy.OPTIONS.withPool(8, 4, true))) {
            int[] expected = generated(d, SeqRequest.of(OTHER), 20);
            int[] spoilt = Arrays.copyOf(PROMPT, 30);
            spoilt[5] = ToyModel.SPOILT;
            Sequence bad = d.open(SeqRequest.of(spoilt));
            assertInstanceOf(StepFault.NonFinite.class, assertInstanceOf(RowResult.Failed.class, Toy.feed(d, bad)).fault());
            d.checkIntegrity();
            d.release(bad);
            d.checkIntegrity();
            Sequence again = d.open(SeqRequest.of(spoilt));
            assertEquals(0, again.reused());
            d.step(List.of(new RowWork(again, 8)));
            assertThrows(StepException.class, () -> d.rewind(again, 31));
            d.release(again);
            for (int i = 0; i < 3; i++) {
                assertArrayEquals(expected, generated(d, SeqRequest.of(OTHER), 20), "blocks after a failed one are clean");
                d.checkIntegrity();
            }
        }
    }

    @Test
    void requestsThatTokensDoNotDecideReuseNothing() throws Exception {
        try (ServingDriver d = Toy.serving(new ToyModel(true, List.of()), PAGED)) {
            generated(d, SeqRequest.of(PROMPT), 8);
            assertEquals(0, d.cache().cached());
            assertEquals(0, d.open(SeqRequest.of(PROMPT)).reused());
        }
        ToyModel tagged = new ToyModel(false, List.of(ToyModel.TAG));
        try (ServingDriver d = Toy.serving(tagged, PAGED)) {
            int[] tags = new int[PROMPT.length];
            Arrays.fill(tags, 3);
            SeqRequest with = SeqRequest.of(PROMPT).withInputs(new RequestInputs(Map.of("tag", InputValue.dense(InputValue.words(tags)))));
            List<float[]> expected = Toy.logits(d, with, 4);
            assertEquals(0, d.cache().cached());
            Toy.logits(d, SeqRequest.of(PROMPT), 4);
            List<float[]> again = Toy.logits(d, with, 4);
            for (int i = 0; i < 4; i++) {
                assertArrayEquals(expected.get(i), again.get(i));
            }
            Sequence s = d.open(with);
            assertEquals(0, s.reused());
            RowResult whole = Toy.feed(d, s);
            d.suspend(s);
            d.commit(s, ((RowResult.Picked) whole).pick().token());
            Sequence t = d.open(with);
            d.commit(t, assertInstanceOf(RowResult.Picked.class, Toy.feed(d, t)).pick().token());
            assertEquals(((RowResult.Picked) Toy.feed(d, t)).pick(), ((RowResult.Picked) Toy.feed(d, s)).pick());
        }
    }

    @Test
    void aPoolThatDoesNotFitIsRefused() throws Exception {
        refused(Toy.OPTIONS.withPool(7, 4, true), PrepareFault.BadOption.class);
        refused(Toy.OPTIONS.withPool(1 << 20, 1 << 12, true), PrepareFault.BadOption.class);
        assertThrows(IllegalArgumentException.class, () -> Toy.OPTIONS.withPool(0, 4, true));
        assertThrows(IllegalArgumentException.class, () -> Toy.OPTIONS.withPool(4, 0, true));
        refused(Toy.OPTIONS.withPool(1 << 20, 16, true).withBounds(new DriverOptions.Bounds(256, 1 << 20, Toy.OPTIONS.bounds().trace())),
                PrepareFault.TooManyBytes.class);
    }

    private static void refused(DriverOptions options, Class<? extends PrepareFault> fault) throws Exception {
        try (ModelHandle handle = ModelHandle.of(ToyModel.plain(), ToyModel.store());
                UnpreparedDriver driver = Driver.over(handle, new OracleExecutor(), options)) {
            assertInstanceOf(fault, assertInstanceOf(Preparation.Refused.class, driver.prepare()).fault());
        }
    }

    @Test
    void aPoolTakesTheBytesItsBlocksTake() throws Exception {
        long block = ToyModel.plain().schema().kvBytes(4, KvForm.F16);
        assertEquals(2 * 4 * ToyModel.WIDTH * 2, block);
        try (ServingDriver small = Toy.serving(ToyModel.plain(), PAGED.withKv(KvForm.F16));
                ServingDriver large = Toy.serving(ToyModel.plain(), Toy.OPTIONS.withPool(124, 4, true).withKv(KvForm.F16))) {
            assertEquals(100 * block, large.retainedBytes() - small.retainedBytes());
        }
    }
}
