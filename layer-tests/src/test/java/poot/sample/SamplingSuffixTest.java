package poot.sample;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static poot.api.graph.ElementType.BOOL;
import static poot.api.graph.ElementType.F32;
import static poot.api.graph.ElementType.I32;
import static poot.api.graph.ElementType.U32;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import poot.api.driver.SamplingParams;
import poot.api.graph.Builder;
import poot.api.graph.Graph;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceLimits;
import poot.api.model.KvLayout;
import poot.api.model.ModelSchema;
import poot.api.model.StepShape;
import poot.core.sample.Head;
import poot.core.sample.SampleOutput;
import poot.core.sample.SampleSlot;
import poot.core.sample.SampleState;
import poot.core.sample.SamplingSuffix;
import poot.oracle.Oracle;
import poot.oracle.Tensor;

/** Every rule of sampling against its plain reference; draws by their statistics. */
class SamplingSuffixTest {
    private static final int V = 24;
    private static final SamplingParams G = SamplingParams.GREEDY;
    private static final List<SamplingParams> RULES = List.of(
            G, G.withLogprobs(4), G.withTemperature(0.7f), G.withTemperature(2f).withTopK(5), G.withTemperature(1f).withTopP(0.6f),
            G.withTemperature(1.3f).withMinP(0.15f), G.withTemperature(1f).withTopK(9).withTopP(0.8f).withMinP(0.05f),
            G.withRepetition(1.4f), G.withTemperature(1f).withRepetition(0.8f).withPresence(0.5f).withFrequency(0.3f),
            G.withTemperature(0.9f).withBias(new TreeMap<>(Map.of(3, 4f, 7, -100f))).withFrequency(-0.5f),
            G.withTemperature(1f).withTopK(1), G.withTemperature(1f).withTopP(1e-6f), G.withTemperature(1f).withMinP(1f));

    /** One row of a step as the driver would bind it. */
    private record Row(float[] logits, SamplingParams sampling, int[] prompt, int[] output, int position) {}

    private static Oracle.Result sample(List<Row> rows, Head.Sample head) throws Exception {
        StepShape shape = StepShape.step(rows.size(), 1, 8).withLayout(new KvLayout.Contiguous(rows.size() + 1));
        Builder b = Builder.with(TraceLimits.DEFAULT);
        b.output(ModelSchema.LOGITS, b.slot("logits", TensorType.of(F32, rows.size(), V)));
        Graph g = SamplingSuffix.append(b.finish(), shape, head, TraceLimits.DEFAULT);
        return Oracle.run(g, role -> null, slots(rows), states(rows));
    }

    /** Row r owns pool row r + 1; its last output token is counted by the step itself. */
    private static Map<String, Tensor> slots(List<Row> rows) {
        Map<String, Tensor> in = new HashMap<>();
        int n = rows.size();
        in.put("state_rows", Tensor.i32(Shape.of(n), IntStream.range(1, n + 1).toArray()));
        float[] logits = new float[n * V];
        int[] seed = new int[2 * n];
        int[] counter = new int[2 * n];
        int[] counted = new int[n];
        int[] topK = new int[n];
        for (int r = 0; r < n; r++) {
            Row row = rows.get(r);
            System.arraycopy(row.logits, 0, logits, r * V, V);
            seed[2 * r] = (int) row.sampling.seed();
            seed[2 * r + 1] = (int) (row.sampling.seed() >>> 32);
            counter[2 * r] = row.position;
            counted[r] = row.output.length == 0 ? -1 : (r + 1) * V + row.output[row.output.length - 1];
            topK[r] = row.sampling.draws() && row.sampling.filters().topK() > 0 ? row.sampling.filters().topK() : V;
        }
        in.put("logits", Tensor.f32(Shape.of(n, V), logits));
        in.put(SampleSlot.SEED.slot(), Tensor.words(TensorType.of(U32, n, 2), seed));
        in.put(SampleSlot.COUNTER.slot(), Tensor.words(TensorType.of(U32, n, 2), counter));
        in.put(SampleSlot.COUNTED.slot(), Tensor.i32(Shape.of(n, 1), counted));
        in.put(SampleSlot.TOP_K.slot(), Tensor.i32(Shape.of(n), topK));
        put(in, SampleSlot.TEMPERATURE, rows, SamplingParams::temperature);
        put(in, SampleSlot.TOP_P, rows, s -> s.draws() && s.filters().topP() < 1 ? s.filters().topP() : 2f);
        put(in, SampleSlot.MIN_P, rows, s -> s.draws() ? s.filters().minP() : 0f);
        put(in, SampleSlot.REPETITION, rows, s -> s.adjustment().repetition());
        put(in, SampleSlot.PRESENCE, rows, s -> s.adjustment().presence());
        put(in, SampleSlot.FREQUENCY, rows, s -> s.adjustment().frequency());
        return in;
    }

    private interface Parameter {
        float of(SamplingParams s);
    }

    private static void put(Map<String, Tensor> in, SampleSlot slot, List<Row> rows, Parameter p) {
        float[] v = new float[rows.size()];
        for (int r = 0; r < v.length; r++) {
            v[r] = p.of(rows.get(r).sampling);
        }
        in.put(slot.slot(), Tensor.f32(Shape.of(v.length), v));
    }

    private static Map<String, Tensor> states(List<Row> rows) {
        float[] counts = new float[(rows.size() + 1) * V];
        float[] bias = new float[counts.length];
        for (int r = 0; r < rows.size(); r++) {
            Row row = rows.get(r);
            int from = (r + 1) * V;
            Arrays.stream(row.prompt).forEach(t -> counts[from + t] = SampleState.PROMPT);
            Arrays.stream(row.output).limit(Math.max(0, row.output.length - 1)).forEach(t -> counts[from + t] += 1);
            row.sampling.adjustment().bias().forEach((t, x) -> bias[from + t] = x);
        }
        return Map.of(SampleState.COUNTS.state(), Tensor.f32(Shape.of(counts.length), counts),
                SampleState.BIAS.state(), Tensor.f32(Shape.of(bias.length), bias));
    }

    private static float[] logits(Random random) {
        float[] x = new float[V];
        for (int i = 0; i < V; i++) {
            x[i] = (float) (2 * random.nextGaussian());
        }
        x[5] = x[11]; // equal ones
        return x;
    }

    private static Row row(Random random, SamplingParams s, int position) {
        return new Row(logits(random), s, new int[] {1, 2, 11, 20}, new int[] {4, 4, 2, 9}, position);
    }

    @Test
    void logprobsAreThoseOfTheReference() throws Exception {
        Random random = new Random(1);
        for (SamplingParams s : RULES) {
            List<Row> rows = List.of(row(random, s, 3), row(random, s, 4), row(random, s, 5));
            Oracle.Result out = sample(rows, new Head.Sample(true, true, V, 0));
            for (int r = 0; r < rows.size(); r++) {
                Reference expected = Reference.of(rows.get(r).logits, s, rows.get(r).prompt, rows.get(r).output);
                int[] top = Arrays.copyOfRange(out.output(SampleOutput.TOP_TOKENS).words(), r * V, (r + 1) * V);
                assertArrayEquals(expected.order(), top, s.toString());
                for (int i = 0; i < V; i++) {
                    float logprob = out.output(SampleOutput.TOP_LOGPROBS).floats()[r * V + i];
                    double p = expected.probabilities()[i];
                    assertEquals(p, Math.exp(logprob), 1e-5, s + " candidate " + i);
                }
                int token = out.output(SampleOutput.TOKEN).words()[r];
                assertTrue(expected.of(token) > 0, s + " chose a dropped token");
                assertEquals(Math.log(expected.of(token)), out.output(SampleOutput.LOGPROB).floats()[r], 1e-4, s.toString());
                assertTrue(s.draws() || token == expected.order()[0], "temperature 0 takes the likeliest");
            }
        }
    }

    @Test
    void greedyHeadIsTheLikeliestToken() throws Exception {
        Random random = new Random(2);
        List<Row> rows = List.of(row(random, G, 1), row(random, G, 2));
        Oracle.Result narrow = sample(rows, Head.Sample.GREEDY);
        Oracle.Result wide = sample(rows, new Head.Sample(true, true, 0, 0));
        assertEquals(wide.output(SampleOutput.TOKEN), narrow.output(SampleOutput.TOKEN));
        assertTrue(narrow.states().isEmpty());
    }

    @Test
    void drawsHaveTheirProbabilities() throws Exception {
        Random random = new Random(3);
        int n = 4000;
        for (SamplingParams s : List.of(RULES.get(2), RULES.get(3), RULES.get(5), RULES.get(8))) {
            float[] x = logits(random);
            List<Row> rows = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                rows.add(new Row(x, s.withSeed(i / 2), new int[] {1}, new int[] {2}, 100 + i % 2));
            }
            int[] seen = new int[V];
            Arrays.stream(sample(rows, new Head.Sample(true, true, 0, 0)).output(SampleOutput.TOKEN).words()).forEach(t -> seen[t]++);
            double[] p = Reference.of(x, s, new int[] {1}, new int[] {2}).byToken();
            double chi = 0;
            int free = -1;
            for (int t = 0; t < V; t++) {
                if (p[t] == 0) {
                    assertEquals(0, seen[t], "a dropped token was drawn");
                } else {
                    chi += (seen[t] - n * p[t]) * (seen[t] - n * p[t]) / (n * p[t]);
                    free++;
                }
            }
            double limit = free + 5 * Math.sqrt(2.0 * free);
            assertTrue(chi <= limit, s + ": chi square " + chi + " with " + free + " degrees of freedom");
        }
    }

    @Test
    void aDrawDependsOnItsRowAlone() throws Exception {
        Random random = new Random(4);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < RULES.size(); i++) {
            rows.add(row(random, RULES.get(i).withSeed(1L << 40 | i), 7 + i));
        }
        Head.Sample head = new Head.Sample(true, true, 3, 0);
        Oracle.Result together = sample(rows, head);
        for (int i = 0; i < rows.size(); i++) {
            Oracle.Result alone = sample(List.of(rows.get(i)), head);
            assertEquals(alone.output(SampleOutput.TOKEN).words()[0], together.output(SampleOutput.TOKEN).words()[i]);
            assertEquals(alone.output(SampleOutput.LOGPROB).floats()[0], together.output(SampleOutput.LOGPROB).floats()[i]);
        }
    }

    @Test
    void fewerCandidatesDrawAmongTheLikeliest() throws Exception {
        Random random = new Random(5);
        List<Row> rows = new ArrayList<>();
        float[] x = logits(random);
        SamplingParams s = G.withTemperature(5f).withTopK(5);
        for (int i = 0; i < 300; i++) {
            rows.add(new Row(x, s.withSeed(i), new int[] {1}, new int[0], 1));
        }
        Reference five = Reference.of(x, s, new int[] {1}, new int[0]);
        for (int t : sample(rows, new Head.Sample(true, false, 0, 5)).output(SampleOutput.TOKEN).words()) {
            assertTrue(five.of(t) > 0);
        }
    }

    /** What a head that orders n tokens serves, it draws as one that orders them all, and both as documented. */
    @Test
    void aDrawIsTheSameUnderEveryHeadThatServesIt() throws Exception {
        Random random = new Random(8);
        int n = 8;
        List<Row> rows = new ArrayList<>();
        for (SamplingParams s : List.of(G, G.withTemperature(1.1f), G.withTemperature(3f).withMinP(0.2f),
                G.withTemperature(2f).withTopK(n), G.withTemperature(2f).withTopK(3),
                G.withTemperature(4f).withTopK(7).withTopP(0.7f), G.withTemperature(1f).withTopK(5).withTopP(0.9f).withMinP(0.1f),
                G.withTemperature(1.5f).withRepetition(1.3f).withFrequency(0.5f))) {
            for (int i = 0; i < 100; i++) {
                rows.add(row(random, s.withSeed(random.nextLong()), 3 + i));
            }
        }
        Tensor all = sample(rows, new Head.Sample(true, true, 4, 0)).output(SampleOutput.TOKEN);
        assertEquals(all, sample(rows, new Head.Sample(true, true, 4, n)).output(SampleOutput.TOKEN));
        assertEquals(all, sample(rows, new Head.Sample(true, true, 0, n)).output(SampleOutput.TOKEN));
        assertEquals(all, sample(rows, new Head.Sample(true, true, V, n)).output(SampleOutput.TOKEN));
        int agree = 0;
        for (int r = 0; r < rows.size(); r++) {
            Row row = rows.get(r);
            agree += Reference.of(row.logits, row.sampling, row.prompt, row.output).drawn(row.sampling, row.position) == all.words()[r] ? 1 : 0;
        }
        assertTrue(agree >= rows.size() - 1, agree + " of " + rows.size() + " draws are those of the reference");
    }

    @Test
    void theFlagIsFalseWhereLogitsAreNotFinite() throws Exception {
        Random random = new Random(6);
        float[] nan = logits(random);
        nan[3] = Float.NaN;
        float[] inf = logits(random);
        inf[9] = Float.NEGATIVE_INFINITY;
        List<Row> rows = List.of(row(random, G, 1), new Row(nan, G, new int[0], new int[0], 1), new Row(inf, G, new int[0], new int[0], 1));
        Tensor flag = sample(rows, Head.Sample.GREEDY).output(SampleOutput.FINITE);
        assertEquals(BOOL, flag.element());
        assertArrayEquals(new int[] {1, 0, 0}, flag.words());
        assertEquals(I32, sample(rows, Head.Sample.GREEDY).output(SampleOutput.TOKEN).element());
    }
}
