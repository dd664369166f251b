package poot.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import poot.api.graph.Encoding;
import poot.backend.cuda.driver.TestDriver;
import poot.golden.GoldenFamilies;
import poot.golden.SharedData;
import poot.serve.command.PootCommand;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code bench/cuda-device.sh} runs on a device works over the test driver, as far as small sizes show. */
class DeviceChecksTest {
    @TempDir
    private Path directory;

    @Test
    void checks() throws Exception {
        TestDriver driver = TestDriver.require();
        SharedData.require("golden/quant");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<String> failed = DeviceChecks.of("cuda", new PrintStream(out, true, StandardCharsets.UTF_8),
                GoldenFamilies.encoders().limit(1).toList(), List.of(), List.of(Encoding.Q4_K));
        assertEquals(List.of(), failed);
        assertTrue(out.toString(StandardCharsets.UTF_8).contains("5 checks on cuda, 0 failed"), out::toString);
        assertFalse(out.toString(StandardCharsets.UTF_8).contains("skipped"), out::toString);
        assertEquals(0, driver.alive(), "handles of the driver that nobody gave back");
    }

    @Test
    void bench() throws Exception {
        TestDriver driver = TestDriver.require();
        Path file = directory.resolve("tiny.json");
        int status = PootCommand.execute("bench", "--backend", "cuda", "--shape", "tiny", "--formats", "BF16,Q4_K_M", "--prefill", "8",
                "--decode", "2", "--context", "0", "--warm-up", "0", "--repeat", "1", "--json", file.toString());
        assertEquals(0, status);
        JsonNode results = JsonMapper.shared().readTree(file.toFile()).get("results");
        assertEquals(4, results.size());
        for (JsonNode r : results) {
            assertTrue(r.at("/tokens_per_s/median").asDouble() > 0, r::toString);
        }
        assertEquals(List.of(), driver.faults());
        assertEquals(0, driver.alive(), "handles of the driver that nobody gave back");
    }
}
