package poot.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import poot.api.driver.AdmitException;
import poot.api.driver.AdmitFault;
import poot.api.driver.DriverOptions;
import poot.api.driver.EncodeResult;
import poot.api.driver.EncodeRow;
import poot.api.driver.GenerateLimits;
import poot.api.driver.Generation;
import poot.api.driver.HeadKind;
import poot.api.driver.Incompatible;
import poot.api.driver.Preparation;
import poot.api.driver.PrepareFault;
import poot.api.driver.RowResult;
import poot.api.driver.RowWork;
import poot.api.driver.SamplingParams;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.driver.StepException;
import poot.api.driver.StepFault;
import poot.api.driver.UnpreparedDriver;
import poot.api.graph.TraceLimits;
import poot.core.driver.Driver;
import poot.core.driver.ModelHandle;
import poot.oracleexec.OracleExecutor;

/** The serving loop: however the tokens are cut into steps, every row gets the same logits, and faults stay in their row. */
class DriverTest {
    private static final int[] PROMPT = {5, 9, 1, 17, 3, 22, 8, 8, 13, 2, 19};
    private static final int[] OTHER = {7, 7, 21};

    @Test
    void chunksDoNotChangeLogits() throws Exception {
        for (ToyModel model : List.of(ToyModel.plain(), new ToyModel(true, List.of()))) {
            List<float[]> whole;
            try (ServingDriver d = Toy.serving(model, Toy.OPTIONS.withPrefillChunk(16))) {
                whole = Toy.logits(d, SeqRequest.of(PROMPT), 6);
            }
            for (int chunk : new int[] {1, 3, 8}) {
                try (ServingDriver d = Toy.serving(model, Toy.OPTIONS.withPrefillChunk(chunk))) {
                    List<float[]> cut = Toy.logits(d, SeqRequest.of(PROMPT), 6);
                    for (int i = 0; i < cut.size(); i++) {
                        assertArrayEquals(whole.get(i), cut.get(i), 1e-5f, "chunk " + chunk + " step " + i);
                    }
                }
            }
        }
    }

    @Test
    void rowsOfABatchAreAsAlone() throws Exception {
        try (ServingDriver d = Toy.serving(new ToyModel(true, List.of()), Toy.OPTIONS)) {
            int[][] prompts = {PROMPT, OTHER, {4}, {11, 12}};
            List<int[]> alone = new ArrayList<>();
            for (int[] p : prompts) {
                alone.add(d.generate(SeqRequest.of(p), new GenerateLimits(8, Set.of()), t -> true).tokens());
            }
            List<Sequence> open = new ArrayList<>();
            for (int[] p : prompts) {
                open.add(d.open(SeqRequest.of(p)));
            }
            List<List<Integer>> got = new ArrayList<>();
            open.forEach(s -> got.add(new ArrayList<>()));
            while (got.stream().anyMatch(g -> g.size() < 8)) {
                for (RowResult r : d.step(open.stream().filter(q -> got.get(open.indexOf(q)).size() < 8).map(RowWork::of).toList())) {
                    if (r instanceof RowResult.Picked p) {
                        got.get(open.indexOf(p.sequence())).add(p.pick().token());
                        d.commit(p.sequence(), p.pick().token());
                    } else {
                        assertInstanceOf(RowResult.Fed.class, r, r.toString());
                    }
                }
            }
            for (int i = 0; i < prompts.length; i++) {
                assertArrayEquals(alone.get(i), got.get(i).stream().mapToInt(t -> t).toArray(), "row " + i);
            }
            open.forEach(d::release);
            assertEquals(4, d.freeRows());
        }
    }

    /** Rows whose tokens round up to one step are fed by one pass; the bits of a row are those of the row alone. */
    @Test
    void promptsFedTogetherAreAsAlone() throws Exception {
        for (ToyModel model : List.of(ToyModel.plain(), new ToyModel(true, List.of()))) {
            try (ServingDriver d = Toy.serving(model, Toy.OPTIONS)) {
                assertTrue(d.entries().containsAll(List.of("step 4x8 greedy", "step 4x8 sample", "step 4x8 logits", "encode 4x16")));
                int[][] prompts = {PROMPT, {4, 4, 6, 2, 1}, OTHER, {11, 12}};
                List<float[]> alone = new ArrayList<>();
                List<Sequence> rows = new ArrayList<>();
                for (int[] p : prompts) {
                    alone.add(Toy.logits(d, SeqRequest.of(p), 1).getFirst());
                }
                for (int[] p : prompts) {
                    rows.add(d.open(SeqRequest.of(p).withLogits()));
                }
                List<RowResult> first = d.step(rows.stream().map(RowWork::of).toList());
                assertInstanceOf(RowResult.Fed.class, first.get(0));
                for (int i = 0; i < prompts.length; i++) {
                    RowResult r = i == 0 ? Toy.feed(d, rows.get(0)) : first.get(i);
                    assertArrayEquals(alone.get(i), assertInstanceOf(RowResult.Logits.class, r).logits(), "row " + i);
                }
            }
        }
    }

    @Test
    void textsEncodedTogetherAreAsAlone() throws Exception {
        try (ServingDriver d = Toy.serving(ToyModel.plain(), Toy.OPTIONS)) {
            List<EncodeRow> rows = List.of(EncodeRow.of(PROMPT), EncodeRow.of(OTHER), EncodeRow.of(4), EncodeRow.of(PROMPT),
                    EncodeRow.of(1, 2), EncodeRow.of(7, ToyModel.REFUSED), EncodeRow.of(3));
            List<EncodeResult> together = d.encode(rows);
            for (int i = 0; i < rows.size(); i++) {
                switch (d.encode(List.of(rows.get(i))).getFirst()) {
                    case EncodeResult.Embedding e ->
                        assertArrayEquals(e.vector(), assertInstanceOf(EncodeResult.Embedding.class, together.get(i)).vector(), "row " + i);
                    case EncodeResult.Failed f -> {
                        assertEquals(5, i, f.fault().message());
                        assertInstanceOf(StepFault.Invalid.class, assertInstanceOf(EncodeResult.Failed.class, together.get(i)).fault());
                    }
                    case EncodeResult.Score s -> throw new AssertionError("a score");
                }
            }
        }
    }

    @Test
    void aStepCompilesNothing() throws Exception {
        try (ServingDriver d = Toy.serving(ToyModel.plain(), Toy.OPTIONS)) {
            List<String> before = d.entries();
            long bytes = d.retainedBytes();
            d.generate(SeqRequest.of(PROMPT).withSampling(SamplingParams.draw(1f, 4)), new GenerateLimits(5, Set.of()), t -> true);
            assertEquals(before, d.entries());
            assertEquals(bytes, d.retainedBytes());
            assertEquals(before.size(), Set.copyOf(before).size());
        }
    }

    @Test
    void refusedPreparationsGiveTheDriverBack() throws Exception {
        refused(bounded(3, 1L << 36, TraceLimits.DEFAULT), PrepareFault.TooManyEntries.class);
        refused(bounded(256, 1000, TraceLimits.DEFAULT), PrepareFault.TooManyBytes.class);
        refused(Toy.OPTIONS.withCapacity(65), PrepareFault.BadOption.class);
        refused(Toy.OPTIONS.withCarried(Set.of(Set.of("image"))), PrepareFault.UnknownInput.class);
        refused(bounded(256, 1L << 36, new TraceLimits(4, 1000, 1000, 1000, 1 << 20)), PrepareFault.Untraceable.class);
    }

    private static DriverOptions bounded(int entries, long bytes, TraceLimits trace) {
        return Toy.OPTIONS.withBounds(new DriverOptions.Bounds(entries, bytes, trace));
    }

    private static void refused(DriverOptions options, Class<? extends PrepareFault> fault) throws Exception {
        try (ModelHandle handle = ModelHandle.of(ToyModel.plain(), ToyModel.store());
                UnpreparedDriver driver = Driver.over(handle, new OracleExecutor(), options)) {
            Preparation.Refused r = assertInstanceOf(Preparation.Refused.class, driver.prepare());
            assertInstanceOf(fault, r.fault(), r.fault().message());
            assertSame(driver, r.driver());
        }
    }

    @Test
    void requestsAreRefusedBeforeTheyTakeARow() throws Exception {
        try (ServingDriver d = Toy.serving(ToyModel.plain(), Toy.OPTIONS.withHeads(EnumSet.of(HeadKind.GREEDY)))) {
            refused(d, SeqRequest.of(), AdmitFault.EmptyPrompt.class);
            refused(d, SeqRequest.of(1, 32), AdmitFault.UnknownToken.class);
            refused(d, SeqRequest.of(1, -1), AdmitFault.UnknownToken.class);
            refused(d, SeqRequest.of(new int[33]), AdmitFault.TooLong.class);
            refused(d, SeqRequest.of(1).withSampling(SamplingParams.draw(1f, 1)), AdmitFault.Unserved.class);
            refused(d, SeqRequest.of(1).withLogits(), AdmitFault.Unserved.class);
            SamplingParams g = SamplingParams.GREEDY;
            for (SamplingParams bad : List.of(g.withTemperature(-1f), g.withTemperature(Float.NaN), g.withTopP(0f), g.withTopP(1.5f),
                    g.withTopK(-1), g.withMinP(2f), g.withRepetition(0f), g.withPresence(Float.POSITIVE_INFINITY),
                    g.withFrequency(Float.NaN), g.withLogprobs(-1),
                    g.withBias(new TreeMap<>(Map.of(99, 1f))),
                    g.withBias(new TreeMap<>(Map.of(1, Float.NaN))))) {
                refused(d, SeqRequest.of(1).withSampling(bad), AdmitFault.BadSampling.class);
            }
            assertEquals(4, d.freeRows());
            for (int i = 0; i < 4; i++) {
                d.open(SeqRequest.of(1));
            }
            refused(d, SeqRequest.of(1), AdmitFault.NoFreeRow.class);
        }
        try (ServingDriver d = Toy.serving(ToyModel.plain(), Toy.OPTIONS)) {
            refused(d, SeqRequest.of(1).withSampling(SamplingParams.draw(1f, 1)).withLogits(), Incompatible.class);
            refused(d, SeqRequest.of(1).withSampling(SamplingParams.GREEDY.withLogprobs(6)), AdmitFault.Unserved.class);
        }
    }

    private static void refused(ServingDriver d, SeqRequest r, Class<? extends AdmitFault> fault) {
        AdmitException e = assertThrows(AdmitException.class, () -> d.open(r));
        assertInstanceOf(fault, e.fault(), e.getMessage());
    }

    @Test
    void aRowThatIsNotFiniteFailsAlone() throws Exception {
        try (ServingDriver d = Toy.serving(new ToyModel(true, List.of()), Toy.OPTIONS)) {
            int[] expected = d.generate(SeqRequest.of(OTHER), new GenerateLimits(6, Set.of()), t -> true).tokens();
            Sequence bad = d.open(SeqRequest.of(ToyModel.SPOILT));
            Sequence good = d.open(SeqRequest.of(7));
            List<RowResult> r = d.step(List.of(RowWork.of(bad), RowWork.of(good)));
            assertInstanceOf(StepFault.NonFinite.class, assertInstanceOf(RowResult.Failed.class, r.get(0)).fault());
            assertInstanceOf(RowResult.Picked.class, r.get(1));
            assertEquals(Sequence.Phase.FAILED, bad.phase());
            assertThrows(StepException.class, () -> d.commit(bad, 1));
            assertInstanceOf(StepFault.NotPending.class,
                    assertInstanceOf(RowResult.Failed.class, d.step(List.of(RowWork.of(bad))).getFirst()).fault());
            d.release(bad);
            d.release(good);
            for (int i = 0; i < 4; i++) {
                Sequence s = d.open(SeqRequest.of(1));
                assertInstanceOf(RowResult.Picked.class, Toy.feed(d, s), "a row after a failed one is clean");
            }
            assertEquals(6, expected.length);
        }
    }

    @Test
    void aBrokenValidationNamesItsRow() throws Exception {
        try (ServingDriver d = Toy.serving(ToyModel.plain(), Toy.OPTIONS)) {
            Sequence bad = d.open(SeqRequest.of(ToyModel.REFUSED));
            Sequence good = d.open(SeqRequest.of(7));
            List<RowResult> r = d.step(List.of(RowWork.of(good), RowWork.of(bad)));
            assertInstanceOf(StepFault.Disturbed.class, assertInstanceOf(RowResult.Failed.class, r.get(0)).fault());
            assertInstanceOf(StepFault.Invalid.class, assertInstanceOf(RowResult.Failed.class, r.get(1)).fault());
        }
    }

    @Test
    void generationsEnd() throws Exception {
        try (ServingDriver d = Toy.serving(ToyModel.plain(), Toy.OPTIONS)) {
            Generation g = d.generate(SeqRequest.of(OTHER), new GenerateLimits(6, Set.of()), t -> true);
            assertEquals(Generation.Finish.LENGTH, g.finish());
            Generation stopped = d.generate(SeqRequest.of(OTHER), new GenerateLimits(6, Set.of(g.tokens()[0])), t -> true);
            assertEquals(Generation.Finish.STOP, stopped.finish());
            assertEquals(0, stopped.picks().size());
            assertEquals(Generation.Finish.CANCELLED, d.generate(SeqRequest.of(OTHER), new GenerateLimits(6, Set.of()), t -> false).finish());
            Generation full = d.generate(SeqRequest.of(OTHER), new GenerateLimits(1000, Set.of()), t -> true);
            assertEquals(Generation.Finish.CAPACITY, full.finish());
            assertEquals(32 - OTHER.length + 1, full.picks().size());
            Generation failed = d.generate(SeqRequest.of(1, ToyModel.REFUSED), new GenerateLimits(5, Set.of()), t -> true);
            assertEquals(Generation.Finish.FAILED, failed.finish());
            assertTrue(failed.fault().isPresent());
            assertEquals(4, d.freeRows());
        }
    }

    @Test
    void rewindFeedsASharedBeginningOnce() throws Exception {
        try (ServingDriver d = Toy.serving(ToyModel.plain(), Toy.OPTIONS)) {
            Sequence s = d.open(SeqRequest.of(PROMPT).withLogits());
            float[] first = ((RowResult.Logits) Toy.feed(d, s)).logits();
            for (int t : OTHER) {
                d.commit(s, t);
            }
            Toy.feed(d, s);
            d.rewind(s, PROMPT.length);
            assertEquals(1, s.pending());
            assertArrayEquals(first, ((RowResult.Logits) Toy.feed(d, s)).logits());
        }
        try (ServingDriver d = Toy.serving(new ToyModel(true, List.of()), Toy.OPTIONS)) {
            Sequence s = d.open(SeqRequest.of(PROMPT));
            assertInstanceOf(Incompatible.class, assertThrows(StepException.class, () -> d.rewind(s, 2)).fault());
        }
    }

    @Test
    void rewindForgetsWhatWasNotFedYet() throws Exception {
        try (ServingDriver d = Toy.serving(ToyModel.plain(), Toy.OPTIONS)) {
            Sequence whole = d.open(SeqRequest.of(1, 2, 3, 4).withLogits());
            float[] expected = ((RowResult.Logits) Toy.feed(d, whole)).logits();
            Sequence s = d.open(SeqRequest.of(1, 2, 3, 4, 5, 6).withLogits());
            assertInstanceOf(RowResult.Fed.class, d.step(List.of(new RowWork(s, 2))).get(0));
            d.rewind(s, 4);
            assertEquals(2, s.fed());
            assertEquals(2, s.pending());
            assertArrayEquals(expected, ((RowResult.Logits) Toy.feed(d, s)).logits());
            assertThrows(StepException.class, () -> d.rewind(s, 5));
        }
    }

    @Test
    void whatTheOptionsLeaveOutIsNotPrepared() throws Exception {
        try (ServingDriver d = Toy.serving(ToyModel.plain(), Toy.OPTIONS.withEncodeTokens(0))) {
            assertTrue(d.entries().stream().noneMatch(e -> e.startsWith("encode")));
            AdmitException e = assertThrows(AdmitException.class, () -> d.encode(List.of(EncodeRow.of(1))));
            assertInstanceOf(AdmitFault.NotPrepared.class, e.fault());
        }
    }

    @Test
    void aHandleOutlivesItsLoaderWhileADriverIsOpen() throws Exception {
        ServingDriver d = Toy.serving(ToyModel.plain(), Toy.OPTIONS);
        assertEquals(2, d.generate(SeqRequest.of(1), new GenerateLimits(2, Set.of()), t -> true).picks().size());
        d.close();
        d.close();
        assertThrows(IllegalStateException.class, () -> d.open(SeqRequest.of(1)));
    }

    @Test
    void misplacedSequencesStopAStepBeforeItBegins() throws Exception {
        try (ServingDriver d = Toy.serving(ToyModel.plain(), Toy.OPTIONS); ServingDriver e = Toy.serving(ToyModel.plain(), Toy.OPTIONS)) {
            Sequence s = d.open(SeqRequest.of(1));
            assertThrows(StepException.class, () -> d.step(List.of(RowWork.of(s), RowWork.of(s))));
            assertThrows(StepException.class, () -> e.step(List.of(RowWork.of(s))));
            assertThrows(StepException.class, () -> d.commit(s, 99));
            assertInstanceOf(RowResult.Picked.class, Toy.feed(d, s));
        }
    }
}
