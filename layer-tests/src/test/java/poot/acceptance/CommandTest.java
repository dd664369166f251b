package poot.acceptance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.driver.DriverOptions;
import poot.api.driver.EncodeResult;
import poot.api.driver.EncodeRow;
import poot.api.driver.HeadKind;
import poot.api.driver.InputValue;
import poot.api.driver.RequestInputs;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.api.model.ModelSchema;
import poot.api.model.TextCodec;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.families.Families;
import poot.golden.Golden;
import poot.golden.Safetensors;
import poot.golden.SharedData;
import poot.step.Backend;
import poot.step.Serving;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The packaged command does what its help says: results alone on standard output, in the exact forms other tools read. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class CommandTest {
    private static final float NEAR = 2e-4f;

    private static Shell shell;

    @BeforeAll
    static void open() throws Exception {
        Repository.modules();
        shell = Shell.open();
    }

    @AfterAll
    static void close() throws Exception {
        if (shell != null) {
            shell.close();
        }
    }

    /** What a command line that succeeds writes. */
    private static String out(Launched run) {
        assertEquals(0, run.status(), run.err());
        return run.out();
    }

    private static JsonNode json(Launched run) {
        return JsonMapper.shared().readTree(out(run));
    }

    private static String ids(int[] ids, String between) {
        return IntStream.of(ids).mapToObj(Integer::toString).collect(Collectors.joining(between));
    }

    private static void near(float[] expected, float[] actual, float tolerance) {
        assertEquals(expected.length, actual.length);
        for (int i = 0; i < expected.length; i++) {
            assertEquals(expected[i], actual[i], tolerance, "element " + i);
        }
    }

    @Test
    void aProcessGenerates() throws Exception {
        JsonNode c = JsonMapper.shared().readTree(Repository.demoModel().resolve("golden.json").toFile()).get("cases").get(0);
        List<String> command = Shell.poot();
        command.addAll(List.of("generate", "-n", "6", c.get("prompt").asString()));
        Launched run = Launched.run(command, "", Shell.environment());
        String start = out(run).strip();
        assertFalse(start.isEmpty());
        assertTrue(c.get("greedy_text").asString().strip().startsWith(start), run.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"HF", "GGUF"})
    void idsAreContinued(Golden.Form form) throws Exception {
        Golden g = Golden.read("llama");
        for (int i = 0; i < g.prompts().size(); i++) {
            Launched run = shell.run("generate", "--model", g.checkpoint(form).toString(), "--prompt-ids",
                    ids(g.prompts().get(i), ","), "--max-tokens", "24", "--ignore-eos", "--output", "ids");
            assertEquals(ids(g.greedy().get(i), " ") + "\n", out(run));
        }
    }

    @Test
    void jsonSaysHowItEnded() throws Exception {
        JsonNode o = json(shell.run("generate", "--output", "json", "--logprobs", "25", "-n", "2", "Once upon a time"));
        assertEquals("length", o.get("finish").asString());
        assertEquals(2, o.get("ids").size());
        assertEquals(25, o.get("logprobs").get(0).get("top").size());
        assertEquals(o.get("ids").get(0), o.get("logprobs").get(0).get("top").get(0).get("id"));
    }

    /** A tokenizer that marks a word's beginning takes the blank off a text of its own; what goes on from another keeps it. */
    @Test
    void aContinuationKeepsItsFirstBlank() throws Exception {
        String stories = SharedData.require("models/stories260K/stories260K-f32.gguf").toString();
        assertEquals(" a time\n", out(shell.run("generate", "-m", stories, "-t", "0", "-n", "2", "Once upon")));
        JsonNode o = json(shell.run("generate", "-m", stories, "-t", "0", "-n", "2", "--logprobs", "1", "--output", "json", "Once upon"));
        assertEquals(" a time", o.get("text").asString());
        assertEquals(" a", o.get("logprobs").get(0).get("text").asString());
    }

    @Test
    void logitsAreWritten(@TempDir Path folder) throws Exception {
        Golden g = Golden.read("llama");
        Path file = folder.resolve("logits.safetensors");
        for (int i = 0; i < g.prompts().size(); i++) {
            List<String> words = new ArrayList<>(List.of("logits", "-m", g.directory().toString(), "--prompt-ids",
                    ids(g.prompts().get(i), ","), "--output-file", file.toString()));
            if (i == 0) {
                words.add("--all-positions");
            }
            assertEquals("", out(shell.run(words.toArray(String[]::new))));
            Safetensors.Entry logits = Safetensors.read(file).entry("logits");
            assertEquals(i == 0 ? g.prompts().get(0).length : 1, logits.shape().dim(0));
            near(g.expected(i, "exact").floats(), logits.floats(), NEAR);
        }
    }

    private static float[] embedding(Launched run) {
        JsonNode list = json(run).get("embedding");
        float[] out = new float[list.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = list.get(i).floatValue();
        }
        return out;
    }

    @Test
    void idsAreEmbedded() throws Exception {
        Golden g = Golden.read("bert-mean");
        for (int i = 0; i < g.prompts().size(); i++) {
            Launched run = shell.run("embed", "-m", g.checkpoint(Golden.Form.GGUF).toString(), "--json",
                    "--input-ids", ids(g.prompts().get(i), ","));
            near(g.expected(i, "exact").floats(), embedding(run), NEAR);
        }
    }

    @Test
    void aTextIsEmbedded() throws Exception {
        Path model = SharedData.require("models/all-MiniLM-L6-v2");
        JsonNode item = JsonMapper.shared().readTree(model.resolve("golden.json").toFile()).get("items").get(0);
        float[] vector = embedding(shell.run("embed", "-m", model.toString(), "--json", item.get("text").asString()));
        float[] expected = new float[vector.length];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = item.get("embedding").get(i).floatValue();
        }
        near(expected, vector, 5e-4f);
    }

    @Test
    void documentsAreOrdered() throws Exception {
        Path model = SharedData.require("golden/bert-rank");
        String query = "what is a dog";
        List<String> documents = List.of("the cat", "on", "naive dog");
        List<String> words = new ArrayList<>(List.of("rerank", "-m", model.toString(), "--json", "--query", query));
        words.addAll(documents);
        JsonNode rows = json(shell.run(words.toArray(String[]::new)));
        assertEquals(3, rows.size());
        assertEquals(List.of(0, 1, 2), StreamSupport.stream(rows.spliterator(), false).map(r -> r.get("index").asInt()).sorted().toList());
        for (int i = 1; i < rows.size(); i++) {
            assertTrue(rows.get(i - 1).get("score").floatValue() >= rows.get(i).get("score").floatValue(), rows.toString());
        }
        for (JsonNode row : rows) {
            assertEquals(score(model, query, documents.get(row.get("index").asInt())), row.get("score").floatValue(), NEAR);
        }
    }

    /** The pair's score through the API; the model reads segments. */
    private static float score(Path model, String query, String document) throws Exception {
        try (ModelHandle handle = ModelHandle.load(model, Families.registry(), LoadOptions.DEFAULT);
                Executor executor = Backend.CPU.open();
                ServingDriver driver = Serving.open(handle, executor, DriverOptions.DEFAULT.withCapacity(1)
                        .withHeads(EnumSet.noneOf(HeadKind.class)).withEncodeTokens(32))) {
            TextCodec.Pair pair = handle.text().orElseThrow().encodePair(query, document);
            InputValue segments = InputValue.dense(InputValue.words(pair.segments()));
            EncodeRow row = EncodeRow.of(pair.ids()).withInputs(new RequestInputs(Map.of(ModelSchema.SEGMENTS, segments)));
            return ((EncodeResult.Score) driver.encode(List.of(row)).getFirst()).score();
        }
    }

    @Test
    void linesAreTokenized() throws Exception {
        Path model = Repository.demoModel();
        JsonNode cases = JsonMapper.shared().readTree(model.resolve("golden.json").toFile()).get("cases");
        List<String> texts = List.of(cases.get(0).get("prompt").toString(), "", cases.get(1).get("prompt").toString());
        String expected = cases.get(0).get("prompt_ids") + "\n" + cases.get(1).get("prompt_ids") + "\n";
        List<String> command = Shell.poot();
        command.addAll(List.of("tokenize", "--model", model.toString()));
        assertEquals(expected, out(Launched.run(command, String.join("\n", texts), Shell.environment())));
        for (String tokenizer : List.of("tokenizer.json", "poot-tiny-f16.gguf", "poot-tiny-q8_0.gguf")) {
            String file = model.resolve(tokenizer).toString();
            assertEquals(expected, out(shell.feed(String.join("\n", texts) + "\n", "tokenize", "--tokenizer", file)));
            assertEquals(texts.get(0) + "\n" + texts.get(2) + "\n", out(shell.feed(expected, "detokenize", "--tokenizer", file)));
        }
    }

    @Test
    void goldenTextsAreTokenized() throws Exception {
        JsonNode cases = JsonMapper.shared().readTree(SharedData.require("golden/tokenizer-golden.json").toFile()).get("cases");
        StringBuilder in = new StringBuilder();
        StringBuilder expected = new StringBuilder();
        for (JsonNode c : cases) {
            in.append(c.get("text")).append('\n');
            expected.append(c.get("ids")).append('\n');
        }
        for (String file : List.of("tokenizer.json", "model.gguf")) {
            String path = SharedData.require("golden/llama/" + file).toString();
            assertEquals(expected.toString(), out(shell.feed(in.toString(), "tokenize", "--tokenizer", path)), file);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Qwen-Qwen3-0.6B", "llama-cpp-rwkv-world", "google-gemma-2-2b-it", "mistralai-Mistral-Nemo-Instruct-2407"})
    void templatesAreRenderedByteForByte(String name, @TempDir Path folder) throws Exception {
        Path templates = SharedData.require("templates");
        JsonNode cases = JsonMapper.shared().readTree(templates.resolve("cases.json").toFile());
        JsonNode expected = JsonMapper.shared().readTree(templates.resolve("expected.json").toFile()).get(name + ".jinja");
        assertTrue(expected.size() > 0);
        for (String key : expected.propertyNames()) {
            Path context = Files.writeString(folder.resolve(key + ".json"), cases.get(key).toString());
            Launched run = shell.run("render", "--template", templates.resolve(name + ".jinja").toString(), "--context", context.toString());
            if (expected.get(key).has("text")) {
                assertEquals(expected.get(key).get("text").asString(), out(run), key);
            } else {
                refused(run, name);
            }
        }
    }

    @Test
    void theMachineAndTheModelAreDescribed() throws Exception {
        JsonNode backends = json(shell.run("backends", "--json"));
        assertEquals(List.of("cpu", "cuda", "vulkan"),
                StreamSupport.stream(backends.spliterator(), false).map(b -> b.get("name").asString()).sorted().toList());
        for (JsonNode b : backends) {
            assertEquals(b.get("available").asBoolean(), b.has("device"), b.toString());
            assertEquals(!b.get("available").asBoolean(), b.has("reason"), b.toString());
            assertTrue(b.get("available").asBoolean() || !b.get("name").asString().equals("cpu"), b.toString());
        }
        JsonNode info = json(shell.run("info", "--json"));
        assertEquals("llama", info.get("family").asString());
        assertEquals(1536, info.get("vocabulary").asInt());
        assertEquals("can run it", info.get("backends").get(2).get("verdict").asString());
        long cached = info.at("/cache_bytes_per_position/f32").asLong();
        assertTrue(cached > 0 && cached == 2 * info.at("/cache_bytes_per_position/f16").asLong()
                && cached == 2 * info.at("/cache_bytes_per_position/bf16").asLong(), info.toString());
        assertEquals(cached / 4 * 34 / 32, info.at("/cache_bytes_per_position/q8_0").asLong());
        String tensors = out(shell.run("info", "--tensors", "-m", Repository.demoModel().resolve("poot-tiny-q8_0.gguf").toString()));
        assertTrue(tensors.contains("Q8_0") && tensors.contains("token_embd.weight"), tensors);
    }

    @Test
    void howAModelIsCompiledIsExplained() throws Exception {
        String full = out(shell.run("explain"));
        assertTrue(full.contains("FuseRows") && full.contains("6 x") && full.contains("rope x2, scatter_update x2"), full);
        assertTrue(out(shell.run("explain", "--program", "prefill", "--fusion", "off", "--all")).contains("dispatches        1"), full);
    }

    @Test
    void everyCommandHasHelp() throws Exception {
        String usage = shell.run().err();
        String[] names = usage.substring(usage.lastIndexOf(": ") + 2, usage.indexOf('\n')).split(", ");
        assertTrue(Arrays.asList(names).containsAll(List.of("generate", "chat", "embed", "rerank", "logits", "tokenize",
                "detokenize", "render", "info", "explain", "backends", "bench")), usage);
        assertTrue(out(shell.run("--help")).startsWith("Usage: poot "));
        for (String name : names) {
            assertTrue(out(shell.run(name, "--help")).startsWith("Usage: poot " + name), name);
            assertTrue(out(shell.run(name, "--version")).startsWith("poot "), name);
        }
    }

    /** Exit status 1, one line on standard error that names the thing, nothing on standard output, no stack trace. */
    private static void refused(Launched run, String named) {
        String what = run.toString();
        assertEquals(1, run.status(), what);
        assertEquals("", run.out(), what);
        assertTrue(run.err().startsWith("poot: ") && run.err().contains(named), what);
        assertEquals(1, run.err().strip().lines().count(), what);
    }

    @Test
    void aProcessRefuses() throws Exception {
        List<String> command = Shell.poot();
        command.addAll(List.of("generate", "-m", "no/such/model", "Hello"));
        Launched run = Launched.run(command, "", Shell.environment());
        String said = run.err().lines().filter(l -> !l.startsWith("WARNING: Using incubator modules")).collect(Collectors.joining("\n"));
        refused(new Launched(run.status(), run.out(), said), "no/such/model");
    }

    /** The words of a command line after what its refusal names. */
    @ParameterizedTest
    @ValueSource(strings = {
        "README.md|generate|-m|README.md|x", "models/config.json|info|-m|models", "\"x\"|generate|--prompt-ids|1,x",
        "\"\"|generate|--prompt-ids|", "PROMPT|generate", "99999|generate|--prompt-ids|1,99999", "-2|logits|--prompt-ids|1,-2|--output-file|x",
        "5 tokens|generate|--context|4|--prompt-ids|1,2,3,4,5", "512|generate|--context|513|x", "--context -3|generate|--context|-3|x",
        "nosuch|generate|--backend|nosuch|x", "--kv q4|chat|--kv|q4|x",
        "--threads -1|generate|--threads|-1|x", "--max-tokens 0|generate|-n|0|x", "temperature|generate|-t|-1|x",
        "top_p|generate|--top-p|0|x", "99999|generate|--logit-bias|99999=1|x", "scores|rerank|--query|a|b", "TEXT|embed",
        "no/x.safetensors|logits|--prompt-ids|1|--output-file|no/x.safetensors", "nosuch.jinja|render|--template|nosuch.jinja|--context|x",
        "nosuch.json|render|--template|README.md|--context|nosuch.json", "nosuch.json|tokenize|--tokenizer|nosuch.json",
        "not both|tokenize|-m|models|--tokenizer|x", "9b|bench|--shape|9b", "--tokens 0|explain|--program|encode|--tokens|0",
        "--rows 0|explain|--rows|0"})
    void refusalsNameTheThing(String line) throws Exception {
        String[] words = line.split("\\|", -1);
        refused(shell.run(Arrays.copyOfRange(words, 1, words.length)), words[0]);
    }

    @Test
    void aPromptLongerThanTheContextIsRefused() throws Exception {
        String prompt = ids(new int[600], ",");
        refused(shell.run("generate", "--prompt-ids", prompt), "600 tokens");
        refused(shell.run("logits", "--prompt-ids", prompt, "--output-file", "never.safetensors"), "600 tokens");
        refused(shell.run("embed", "--input-ids", prompt), "600 tokens");
        assertFalse(Files.exists(Repository.root().resolve("never.safetensors")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "null", "[1.5]", "{}", "\"a\" 1", "[1,99999999999]"})
    void aLineOfAnotherKindIsRefused(String line) throws Exception {
        refused(shell.feed("\n" + line + "\n", "tokenize"), "line 2");
        refused(shell.feed(line + "\n", "detokenize"), "line 1");
    }

    @Test
    void wrongUsageSaysWhereTheHelpIs() throws Exception {
        for (String[] words : new String[][] {{"generate", "--nosuch", "x"}, {"nosuch"}, {"generate", "--output", "xml", "x"}, {"rerank"}}) {
            Launched run = shell.run(words);
            assertEquals(2, run.status(), run.toString());
            assertEquals("", run.out());
            assertTrue(run.err().startsWith("poot: ") && run.err().strip().endsWith("--help"), run.err());
        }
    }
}
