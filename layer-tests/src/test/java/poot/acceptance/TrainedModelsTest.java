package poot.acceptance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.driver.AdmitException;
import poot.api.driver.DriverOptions;
import poot.api.driver.EncodeResult;
import poot.api.driver.EncodeRow;
import poot.api.driver.GenerateLimits;
import poot.api.driver.Generation;
import poot.api.driver.HeadKind;
import poot.api.driver.SeqRequest;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.api.model.KvForm;
import poot.api.model.TextCodec;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.families.Families;
import poot.golden.SharedData;
import poot.step.Backend;
import poot.step.Serving;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Conversations rendered, tokenized, continued greedily and read back, as the references did. */
class TrainedModelsTest {
    private static final DriverOptions OPTIONS = DriverOptions.DEFAULT.withCapacity(512)
            .withPrefillChunk(128).withHeads(EnumSet.of(HeadKind.GREEDY)).withEncodeTokens(256);

    /** Tokens the reference of the sentence encoder keeps of a text. */
    private static final int SENTENCE_TOKENS = 256;

    private static ModelHandle load(Path path) throws Exception {
        return ModelHandle.load(path, Families.registry(), LoadOptions.DEFAULT);
    }

    private static JsonNode golden(Path directory) {
        return JsonMapper.shared().readTree(directory.resolve("golden.json").toFile());
    }

    private static int[] ids(JsonNode list) {
        return IntStream.range(0, list.size()).map(i -> list.get(i).asInt()).toArray();
    }

    /** The expected ids are of the F16 weights, which both these forms hold. */
    @ParameterizedTest
    @ValueSource(strings = {".", "poot-tiny-f16.gguf"})
    void conversationsAreContinued(String file) throws Exception {
        Path directory = Repository.demoModel();
        JsonNode golden = golden(directory);
        Set<Integer> stop = stops(golden);
        try (ModelHandle handle = load(directory.resolve(file).normalize()); Executor executor = Backend.CPU.open();
                ServingDriver driver = Serving.open(handle, executor, OPTIONS)) {
            TextCodec text = handle.text().orElseThrow();
            assertTrue(stop.containsAll(handle.model().config().endOfSequence()));
            for (JsonNode c : golden.get("cases")) {
                String name = c.get("name").asString();
                int[] ids = prompt(c, text);
                assertArrayEquals(ids(c.get("prompt_ids")), ids, name);
                Generation g = driver.generate(SeqRequest.of(ids), new GenerateLimits(c.get("max_new_tokens").asInt(), stop), p -> true);
                assertArrayEquals(continuation(c), g.tokens(), name);
                assertEquals(c.get("greedy_text").asString(), text.decode(g.tokens(), true), name);
                TextCodec.Stream stream = text.stream(true);
                StringBuilder streamed = new StringBuilder();
                IntStream.of(g.tokens()).forEach(id -> streamed.append(stream.next(id)));
                assertEquals(c.get("greedy_text").asString(), streamed.append(stream.finish()).toString(), name + " streamed");
            }
        }
    }

    /**
     * Q8_0 weights are other weights, so a near tie may fall the other way, and a text then goes its own way from
     * there: every prompt must be the same, every generation end by itself, the first token agree wherever the
     * reference was sure of it, and most cases be identical.
     */
    @Test
    void packedWeightsSayNearlyTheSame(TestReporter reporter) throws Exception {
        Path directory = Repository.demoModel();
        JsonNode golden = golden(directory);
        List<String> same = new ArrayList<>();
        List<String> other = new ArrayList<>();
        try (ModelHandle handle = load(directory.resolve("poot-tiny-q8_0.gguf")); Executor executor = Backend.CPU.open();
                ServingDriver driver = Serving.open(handle, executor, OPTIONS)) {
            TextCodec text = handle.text().orElseThrow();
            for (JsonNode c : golden.get("cases")) {
                String name = c.get("name").asString();
                int[] ids = prompt(c, text);
                assertArrayEquals(ids(c.get("prompt_ids")), ids, name);
                Generation g = driver.generate(SeqRequest.of(ids),
                        new GenerateLimits(c.get("max_new_tokens").asInt(), stops(golden)), p -> true);
                assertEquals(Generation.Finish.STOP, g.finish(), name);
                assertEquals(continuation(c)[0], g.tokens()[0], name + ": the first token");
                (Arrays.equals(continuation(c), g.tokens()) ? same : other).add(name);
            }
        }
        reporter.publishEntry("Q8_0 identical", same.size() + " of " + golden.get("cases").size() + "; others " + other);
        assertTrue(same.size() > other.size(), () -> "identical " + same + ", others " + other);
    }

    private static Set<Integer> stops(JsonNode golden) {
        Set<Integer> stop = new HashSet<>();
        IntStream.of(ids(golden.get("stop_ids"))).forEach(stop::add);
        return stop;
    }

    /** The prompt's ids, from its text or its messages rendered. */
    private static int[] prompt(JsonNode c, TextCodec text) throws Exception {
        String prompt = c.has("messages") ? text.render(context(c)) : c.get("prompt").asString();
        assertEquals(c.get("prompt").asString(), prompt, c.get("name").asString());
        return text.encodeRendered(prompt);
    }

    /** The expected ids, without the stop token. */
    private static int[] continuation(JsonNode c) {
        int[] expected = ids(c.get("greedy_ids"));
        return Arrays.copyOf(expected, c.get("stop").asString().equals("eos") ? expected.length - 1 : expected.length);
    }

    private static Map<String, Object> context(JsonNode c) {
        Map<String, Object> context = new HashMap<>(Map.of("add_generation_prompt", true));
        for (String key : List.of("messages", "tools")) {
            if (c.has(key)) {
                context.put(key, JsonMapper.shared().convertValue(c.get(key), Object.class));
            }
        }
        return context;
    }

    /** A narrower cache changes logits by little: where the best token leads clearly, it stays the best. */
    @ParameterizedTest
    @EnumSource(names = {"F16", "BF16", "Q8_0"})
    void aNarrowCacheKeepsClearChoices(KvForm kv) throws Exception {
        Path directory = Repository.demoModel();
        int clear = 0;
        try (ModelHandle handle = load(directory); Executor executor = Backend.CPU.open();
                ServingDriver driver = Serving.open(handle, executor, OPTIONS.withKv(kv).withEncodeTokens(0))) {
            assertThrows(AdmitException.class, () -> driver.encode(List.of(EncodeRow.of(1))));
            for (JsonNode c : golden(directory).get("cases")) {
                if (c.get("min_top2_gap").asDouble() > 2) {
                    int[] expected = ids(c.get("greedy_ids"));
                    GenerateLimits limits = new GenerateLimits(expected.length, Set.of());
                    assertArrayEquals(expected, driver.generate(SeqRequest.of(ids(c.get("prompt_ids"))), limits, p -> true).tokens(),
                            c.get("name").asString());
                    clear++;
                }
            }
        }
        assertTrue(clear > 5, clear + " cases");
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "stories260K-f32.gguf"})
    void aStoryIsToldToken200(String file) throws Exception {
        Path directory = SharedData.require("models/stories260K");
        JsonNode golden = golden(directory);
        int[] expected = ids(golden.get("greedy_ids"));
        int[] prompt = ids(golden.get("prompt_ids"));
        assertEquals(201, expected.length);
        try (ModelHandle handle = load(directory.resolve(file).normalize()); Executor executor = Backend.CPU.open();
                ServingDriver driver = Serving.open(handle, executor, OPTIONS)) {
            Generation g = driver.generate(SeqRequest.of(prompt), new GenerateLimits(expected.length - prompt.length, Set.of()), p -> true);
            assertArrayEquals(Arrays.copyOfRange(expected, prompt.length, expected.length), g.tokens());
            assertEquals(golden.get("text").asString(), handle.text().orElseThrow().decode(expected, true));
        }
    }

    @Test
    void sentencesAreEmbedded(TestReporter reporter) throws Exception {
        Path directory = SharedData.require("models/all-MiniLM-L6-v2");
        float worst = 0;
        try (ModelHandle handle = load(directory); Executor executor = Backend.CPU.open();
                ServingDriver driver = Serving.open(handle, executor, OPTIONS.withCapacity(64))) {
            TextCodec text = handle.text().orElseThrow();
            JsonNode items = golden(directory).get("items");
            assertEquals(12, items.size());
            for (JsonNode item : items) {
                int[] ids = truncated(text.encode(item.get("text").asString(), true));
                assertArrayEquals(ids(item.get("ids")), ids, item.get("text").asString());
                EncodeResult.Embedding e = (EncodeResult.Embedding) driver.encode(List.of(EncodeRow.of(ids))).getFirst();
                assertEquals(item.get("embedding").size(), e.vector().length);
                for (int i = 0; i < e.vector().length; i++) {
                    worst = Math.max(worst, Math.abs(e.vector()[i] - item.get("embedding").get(i).floatValue()));
                }
                assertTrue(worst < 5e-4f, item.get("text").asString() + " differs by " + worst);
            }
        }
        reporter.publishEntry("embeddings differ at most", Float.toString(worst));
    }

    /** The ids the reference keeps: the text is cut, its closing token stays. */
    private static int[] truncated(int[] ids) {
        if (ids.length <= SENTENCE_TOKENS) {
            return ids;
        }
        int[] out = Arrays.copyOf(ids, SENTENCE_TOKENS);
        out[SENTENCE_TOKENS - 1] = ids[ids.length - 1];
        return out;
    }
}
