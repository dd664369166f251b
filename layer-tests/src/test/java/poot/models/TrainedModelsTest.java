package poot.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
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
import poot.api.graph.ElementType;
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
    private static final DriverOptions OPTIONS = DriverOptions.DEFAULT.withCapacity(512).withKv(ElementType.F32)
            .withPrefillChunk(128).withHeads(EnumSet.of(HeadKind.GREEDY)).withEncodeTokens(256);

    private static ModelHandle load(Path path) throws Exception {
        return ModelHandle.load(path, Families.registry(), LoadOptions.DEFAULT);
    }

    private static JsonNode golden(Path directory) {
        return JsonMapper.shared().readTree(directory.resolve("golden.json").toFile());
    }

    private static int[] ids(JsonNode list) {
        return IntStream.range(0, list.size()).map(i -> list.get(i).asInt()).toArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "poot-tiny-f16.gguf"})
    void conversationsAreContinued(String file) throws Exception {
        Path directory = SharedData.require("models/poot-tiny");
        JsonNode golden = golden(directory);
        Set<Integer> stop = new HashSet<>();
        IntStream.of(ids(golden.get("stop_ids"))).forEach(stop::add);
        try (ModelHandle handle = load(directory.resolve(file).normalize()); Executor executor = Backend.CPU.open();
                ServingDriver driver = Serving.open(handle, executor, OPTIONS)) {
            TextCodec text = handle.text().orElseThrow();
            assertTrue(stop.containsAll(handle.model().config().endOfSequence()));
            for (JsonNode c : golden.get("cases")) {
                String name = c.get("name").asString();
                String prompt = c.has("messages") ? text.render(context(c)) : c.get("prompt").asString();
                assertEquals(c.get("prompt").asString(), prompt, name);
                int[] ids = text.encodeRendered(prompt);
                assertArrayEquals(ids(c.get("prompt_ids")), ids, name);
                Generation g = driver.generate(SeqRequest.of(ids), new GenerateLimits(c.get("max_new_tokens").asInt(), stop), p -> true);
                int[] expected = ids(c.get("greedy_ids"));
                int n = c.get("stop").asString().equals("eos") ? expected.length - 1 : expected.length;
                assertArrayEquals(Arrays.copyOf(expected, n), g.tokens(), name);
                assertEquals(c.get("greedy_text").asString(), text.decode(g.tokens(), true), name);
                TextCodec.Stream stream = text.stream(true);
                StringBuilder streamed = new StringBuilder();
                IntStream.of(g.tokens()).forEach(id -> streamed.append(stream.next(id)));
                assertEquals(c.get("greedy_text").asString(), streamed.append(stream.finish()).toString(), name + " streamed");
            }
        }
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
    @EnumSource(names = {"F16", "BF16"})
    void aNarrowCacheKeepsClearChoices(ElementType kv) throws Exception {
        Path directory = SharedData.require("models/poot-tiny");
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

    @Test
    void aPackedCheckpointAnswers() throws Exception {
        Path directory = SharedData.require("models/poot-tiny");
        try (ModelHandle handle = load(directory.resolve("poot-tiny-q8_0.gguf")); Executor executor = Backend.CPU.open();
                ServingDriver driver = Serving.open(handle, executor, OPTIONS)) {
            TextCodec text = handle.text().orElseThrow();
            int[] ids = text.encodeRendered(text.render(List.of(new TextCodec.ChatMessage("user", "What is 7 plus 5?"))));
            Generation g = driver.generate(SeqRequest.of(ids),
                    new GenerateLimits(96, handle.model().config().endOfSequence()), p -> true);
            assertEquals(Generation.Finish.STOP, g.finish());
            assertEquals("7 plus 5 is 12.", text.decode(g.tokens(), true));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "stories260K-f32.gguf"})
    void aStoryIsToldToken200(String file) throws Exception {
        Path directory = SharedData.require("models/stories260K");
        JsonNode golden = golden(directory);
        int[] expected = ids(golden.get("greedy_ids"));
        int[] prompt = ids(golden.get("prompt_ids"));
        try (ModelHandle handle = load(directory.resolve(file).normalize()); Executor executor = Backend.CPU.open();
                ServingDriver driver = Serving.open(handle, executor, OPTIONS)) {
            Generation g = driver.generate(SeqRequest.of(prompt), new GenerateLimits(expected.length - prompt.length, Set.of()), p -> true);
            assertArrayEquals(Arrays.copyOfRange(expected, prompt.length, expected.length), g.tokens());
            assertEquals(golden.get("text").asString(), handle.text().orElseThrow().decode(expected, true));
        }
    }

    @Test
    void sentencesAreEmbedded() throws Exception {
        Path directory = SharedData.require("models/all-MiniLM-L6-v2");
        try (ModelHandle handle = load(directory); Executor executor = Backend.CPU.open();
                ServingDriver driver = Serving.open(handle, executor, OPTIONS.withCapacity(64))) {
            TextCodec text = handle.text().orElseThrow();
            for (JsonNode item : golden(directory).get("items")) {
                int[] expected = ids(item.get("ids"));
                int[] ids = text.encode(item.get("text").asString(), true);
                assertArrayEquals(Arrays.copyOf(expected, Math.min(ids.length, expected.length) - 1),
                        Arrays.copyOf(ids, Math.min(ids.length, expected.length) - 1), "ids before truncation");
                EncodeResult.Embedding e = (EncodeResult.Embedding) driver.encode(List.of(EncodeRow.of(expected))).getFirst();
                for (int i = 0; i < e.vector().length; i++) {
                    float at = Math.abs(e.vector()[i] - item.get("embedding").get(i).floatValue());
                    assertTrue(at < 1e-4f, item.get("text").asString() + " differs by " + at);
                }
            }
        }
    }
}
