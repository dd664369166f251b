package poot.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import poot.api.driver.DriverOptions;
import poot.api.driver.HeadKind;
import poot.api.driver.Preparation;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.api.model.KvForm;
import poot.core.driver.Driver;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.families.Families;
import poot.golden.SharedData;
import poot.step.Backend;
import poot.step.Serving;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a narrow cache costs: the same tokens fed one by one over an F32 cache and over a narrow one, and the logits after
 * each compared.
 */
class CacheAccuracyTest {
    private static final DriverOptions OPTIONS = DriverOptions.DEFAULT.withCapacity(512).withPrefillChunk(8)
            .withHeads(EnumSet.of(HeadKind.LOGITS));
    private static final int CASES = 6;

    /** The largest difference of a logit, and the mean and largest divergence of a token's distribution, in nats. */
    private record Error(double logit, double meanDivergence, double divergence, int positions, int changed) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "max |logit| %.2g, mean KL %.2g, max KL %.2g over %d positions; best token changed at %d",
                    logit, meanDivergence, divergence, positions, changed);
        }
    }

    @Test
    void storiesOverANarrowCache(TestReporter reporter) throws Exception {
        Path directory = SharedData.require("models/stories260K");
        JsonNode golden = JsonMapper.shared().readTree(directory.resolve("golden.json").toFile());
        check(reporter, directory, List.of(ids(golden.get("greedy_ids"))));
    }

    @Test
    void conversationsOverANarrowCache(TestReporter reporter) throws Exception {
        Path directory = Repository.demoModel();
        List<int[]> texts = new ArrayList<>();
        for (JsonNode c : JsonMapper.shared().readTree(directory.resolve("golden.json").toFile()).get("cases")) {
            if (texts.size() < CASES) {
                texts.add(IntStream.concat(IntStream.of(ids(c.get("prompt_ids"))), IntStream.of(ids(c.get("greedy_ids")))).toArray());
            }
        }
        check(reporter, directory, texts);
    }

    private static void check(TestReporter reporter, Path directory, List<int[]> texts) throws Exception {
        try (ModelHandle handle = ModelHandle.load(directory, Families.registry(), new LoadOptions(LoadOptions.Text.NONE));
                Executor executor = Backend.CPU.open()) {
            int head = handle.model().config().dimensions().get("head_dim");
            List<float[]> exact = logits(handle, executor, KvForm.F32, texts);
            Error half = error(exact, logits(handle, executor, KvForm.F16, texts));
            Error brain = error(exact, logits(handle, executor, KvForm.BF16, texts));
            reporter.publishEntry(directory.getFileName() + " F16", half.toString());
            reporter.publishEntry(directory.getFileName() + " BF16", brain.toString());
            assertTrue(half.logit < 0.05 && half.divergence < 5e-5, () -> "F16: " + half);
            assertTrue(brain.logit < 0.3 && brain.divergence < 1e-3, () -> "BF16: " + brain);
            if (head % KvForm.GROUP == 0) {
                Error codes = error(exact, logits(handle, executor, KvForm.Q8_0, texts));
                reporter.publishEntry(directory.getFileName() + " Q8_0", codes.toString());
                assertTrue(codes.logit < 0.5 && codes.divergence < 2e-3, () -> "Q8_0: " + codes);
            } else {
                refused(handle, executor, head);
            }
            assertTrue(half.logit < brain.logit, "eleven significant bits are nearer than eight");
        }
    }

    private static void refused(ModelHandle handle, Executor executor, int head) {
        Preparation p = Driver.over(handle, executor, OPTIONS.withKv(KvForm.Q8_0)).prepare();
        Preparation.Refused r = assertInstanceOf(Preparation.Refused.class, p);
        String message = r.fault().message();
        r.driver().close();
        assertTrue(message.contains("heads have " + head + " features and must have a multiple of 32"), message);
        DriverOptions encoding = OPTIONS.withKv(KvForm.Q8_0).withHeads(Set.of()).withEncodeTokens(8);
        assertInstanceOf(Preparation.Ready.class, Driver.over(handle, executor, encoding).prepare(), "what is not cached").driver().close();
    }

    private static List<float[]> logits(ModelHandle handle, Executor executor, KvForm kv, List<int[]> texts) throws Exception {
        List<float[]> out = new ArrayList<>();
        try (ServingDriver driver = Serving.open(handle, executor, OPTIONS.withKv(kv))) {
            for (int[] text : texts) {
                out.addAll(Serving.everyPosition(driver, text));
            }
        }
        return out;
    }

    private static Error error(List<float[]> exact, List<float[]> narrow) {
        assertEquals(exact.size(), narrow.size());
        double logit = 0;
        double sum = 0;
        double most = 0;
        int changed = 0;
        for (int i = 0; i < exact.size(); i++) {
            float[] p = exact.get(i);
            float[] q = narrow.get(i);
            for (int t = 0; t < p.length; t++) {
                logit = Math.max(logit, Math.abs(p[t] - q[t]));
            }
            double divergence = divergence(logarithms(p), logarithms(q));
            sum += divergence;
            most = Math.max(most, divergence);
            changed += best(p) == best(q) ? 0 : 1;
        }
        return new Error(logit, sum / exact.size(), most, exact.size(), changed);
    }

    /** Σ p · (ln p - ln q). */
    private static double divergence(double[] p, double[] q) {
        return IntStream.range(0, p.length).mapToDouble(t -> Math.exp(p[t]) * (p[t] - q[t])).sum();
    }

    /** ln softmax. */
    private static double[] logarithms(float[] logits) {
        double top = logits[best(logits)];
        double sum = 0;
        for (float x : logits) {
            sum += Math.exp(x - top);
        }
        double[] out = new double[logits.length];
        for (int t = 0; t < out.length; t++) {
            out[t] = logits[t] - top - Math.log(sum);
        }
        return out;
    }

    private static int best(float[] x) {
        int best = 0;
        for (int i = 1; i < x.length; i++) {
            best = x[i] > x[best] ? i : best;
        }
        return best;
    }

    private static int[] ids(JsonNode list) {
        return IntStream.range(0, list.size()).map(i -> list.get(i).asInt()).toArray();
    }
}
