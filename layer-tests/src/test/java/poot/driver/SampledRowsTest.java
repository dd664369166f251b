package poot.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import poot.api.driver.GenerateLimits;
import poot.api.driver.Pick;
import poot.api.driver.RowResult;
import poot.api.driver.RowWork;
import poot.api.driver.SamplingParams;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.sample.Reference;

/** Sampling through the driver: history kept by the device, draws of a row the same in any company. */
class SampledRowsTest {
    private static final int[] PROMPT = {5, 9, 1, 17, 3, 22, 8, 8, 13};
    private static final SamplingParams G = SamplingParams.GREEDY;
    private static final List<SamplingParams> RULES = List.of(
            G.withRepetition(1.7f).withLogprobs(3),
            G.withPresence(1.5f).withFrequency(0.75f).withLogprobs(3),
            G.withBias(new TreeMap<>(Map.of(4, 3f, 12, 2.5f))).withFrequency(1f).withLogprobs(3),
            G.withTemperature(1.5f).withTopK(6).withTopP(0.9f).withRepetition(1.2f).withSeed(77).withLogprobs(3));

    @Test
    void everyStepFollowsTheReference() throws Exception {
        try (ServingDriver d = Toy.serving(new ToyModel(true, List.of()), Toy.OPTIONS.withPrefillChunk(4))) {
            for (SamplingParams s : RULES) {
                Sequence row = d.open(SeqRequest.of(PROMPT).withSampling(s));
                Sequence watch = d.open(SeqRequest.of(PROMPT).withLogits());
                List<Integer> output = new ArrayList<>();
                for (int i = 0; i < 12; i++) {
                    Pick pick = assertInstanceOf(RowResult.Picked.class, Toy.feed(d, row)).pick();
                    float[] logits = assertInstanceOf(RowResult.Logits.class, Toy.feed(d, watch)).logits();
                    Reference r = Reference.of(logits, s, PROMPT, output.stream().mapToInt(t -> t).toArray());
                    if (!s.draws()) {
                        assertEquals(r.order()[0], pick.token(), s + " step " + i);
                    }
                    assertEquals(Math.log(r.of(pick.token())), pick.logprob(), 1e-3, s + " step " + i);
                    assertEquals(3, pick.top().size());
                    int committed = i % 3 == 2 ? 6 : pick.token();
                    output.add(committed);
                    d.commit(row, committed);
                    d.commit(watch, committed);
                }
                d.release(row);
                d.release(watch);
            }
        }
    }

    @Test
    void aRowDrawsTheSameInAnyCompany() throws Exception {
        try (ServingDriver d = Toy.serving(ToyModel.plain(), Toy.OPTIONS)) {
            SeqRequest drawn = SeqRequest.of(PROMPT).withSampling(G.withTemperature(1.2f).withTopP(0.95f).withSeed(1L << 33));
            SeqRequest biased = SeqRequest.of(PROMPT).withSampling(G.withBias(new TreeMap<>(Map.of(2, 100f))));
            GenerateLimits limits = new GenerateLimits(10, Set.of());
            int[] alone = d.generate(drawn, limits, t -> true).tokens();
            assertArrayEquals(alone, d.generate(drawn, limits, t -> true).tokens(), "the same seed draws the same");
            SeqRequest other = drawn.withSampling(drawn.sampling().withSeed(5));
            assertFalse(Arrays.equals(alone, d.generate(other, limits, t -> true).tokens()), "another seed draws otherwise");
            List<Sequence> rows = List.of(d.open(biased), d.open(other), d.open(drawn), d.open(SeqRequest.of(3)));
            int[] got = new int[10];
            int n = 0;
            while (n < 10) {
                for (RowResult r : d.step(rows.stream().map(RowWork::of).toList())) {
                    if (r instanceof RowResult.Picked p) {
                        d.commit(p.sequence(), p.pick().token());
                        if (p.sequence() == rows.get(2) && n < 10) {
                            got[n++] = p.pick().token();
                        }
                        assertEquals(p.sequence() == rows.get(0), p.sequence() == rows.get(0) && p.pick().token() == 2);
                    }
                }
            }
            assertArrayEquals(alone, got);
            rows.forEach(d::release);
            int[] greedy = d.generate(SeqRequest.of(3), limits, t -> true).tokens();
            for (int i = 0; i < 4; i++) {
                Sequence s = d.open(SeqRequest.of(3).withSampling(G.withLogprobs(1)));
                assertEquals(greedy[0], assertInstanceOf(RowResult.Picked.class, Toy.feed(d, s)).pick().token(), "no bias is left behind");
            }
        }
    }
}
