package poot.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The bench measures what it says; no figure is judged, only that each is there. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class BenchCommandTest {
    private static Shell shell;

    @TempDir
    private static Path kept;

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

    private static Launched tiny(String... more) throws IOException {
        String[] words = {"bench", "--shape", "tiny", "--repeat", "1", "--backend", "cpu", "--threads", "1", "--keep", kept.toString()};
        String[] all = Arrays.copyOf(words, words.length + more.length);
        System.arraycopy(more, 0, all, words.length, more.length);
        return shell.run(all);
    }

    @Test
    void everyFormatRuns() throws Exception {
        List<String> formats = List.of("F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_K_M", "Q4_K", "Q5_K", "Q6_K", "IQ4_NL", "IQ4_XS", "MXFP4");
        Launched run = tiny("--formats", String.join(",", formats), "--prefill", "5", "--decode", "2", "--warm-up", "0", "--json");
        assertEquals(0, run.status(), run.err());
        JsonNode results = JsonMapper.shared().readTree(run.out()).get("results");
        assertEquals(2 * formats.size(), results.size());
        for (int i = 0; i < results.size(); i++) {
            assertEquals(formats.get(i / 2), results.get(i).get("format").asString());
            assertTrue(results.get(i).at("/tokens_per_s/median").asDouble() > 0, run.out());
        }
        for (String format : formats) {
            assertTrue(Files.size(kept.resolve("tiny-" + format + ".gguf")) > 0);
        }
    }

    @Test
    void depthsAndBatchesAreMeasuredBesideAPeer() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/bin/echo")), "no /bin/echo to stand in for another engine");
        Path file = kept.resolve("out.json");
        Launched run = tiny("--formats", "q8_0", "--prefill", "3,20", "--decode", "2", "--context", "0,700", "--batch", "2",
                "--chunk", "16", "--json", file.toString(), "--beside",
                "/bin/echo '{\"prefill\": 2, \"decode\": 4, \"of\": \"{model} {prefill} {decode} {context}\"}'");
        assertEquals(0, run.status(), run.err());
        assertEquals(6, run.out().lines().count(), run.out());
        JsonNode o = JsonMapper.shared().readTree(file.toFile());
        assertTrue(o.at("/limits/read_bytes_per_s").asDouble() > 0 && o.at("/limits/f32_operations_per_s").asDouble() > 0);
        JsonNode results = o.get("results");
        assertEquals(5, results.size());
        for (JsonNode r : results) {
            boolean batch = r.at("/workload/rows").asInt() == 2;
            assertEquals(batch, r.has("peer_unasked"), r.toString());
            assertEquals(!batch, r.has("peer"), r.toString());
            if (!batch) {
                double peer = r.at("/workload/kind").asString().equals("prefill") ? 2 : 4;
                assertEquals(peer, r.at("/peer/tokens_per_s/median").asDouble());
                assertEquals(r.at("/tokens_per_s/median").asDouble() / peer, r.at("/peer/ratio/of_medians").asDouble(), 1e-9);
            }
            if (r.at("/workload/kind").asString().equals("decode")) {
                assertTrue(r.get("dispatches_per_step").asInt() > 0, r.toString());
                assertTrue(r.at("/bytes_per_token/moved").asDouble() > r.at("/bytes_per_token/least").asDouble(), r.toString());
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "--shape|2b|known are 0.5b, 1b, 8b, tiny",
        "--formats|Q9_9|Q9_9",
        "--context|4000|made for 2048 positions",
        "--repeat|0|must be positive",
        "--beside|'x|open '",
        "--beside|/nowhere/engine {prefill} {decode}|cannot be started",
        "--backend|abacus|no such backend",
    })
    void whatCannotBeMeasuredIsRefused(String option, String value, String told) throws Exception {
        Map<String, String> options = new TreeMap<>(Map.of("--shape", "tiny", "--formats", "Q8_0", "--prefill", "2", "--decode", "1"));
        options.put(option, value);
        List<String> words = new ArrayList<>(List.of("bench"));
        options.forEach((o, v) -> words.addAll(List.of(o, v)));
        Launched run = shell.run(words.toArray(String[]::new));
        assertTrue(run.status() == 1 || run.status() == 2, run.err());
        assertTrue(run.err().contains(told), run.err());
    }
}
