package poot.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process on the module path: settings, an answer, the end by SIGTERM. */
class ServeCommandTest {
    @Test
    void servesUntilItIsToldToStop(@TempDir Path folder) throws Exception {
        Path config = Files.writeString(folder.resolve("poot.properties"), "context = 128\nport = 1\nrunning = 2\n");
        try (ServeProcess serve = new ServeProcess(folder, "--config", config.toString(), "--offline", "--port", "0", "-m", Site.DEMO.toString(),
                        "--backend", "cpu", "--threads", "1");
                HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest ask = HttpRequest.newBuilder(URI.create(serve.url() + "/v1/chat/completions")).header("Content-Type", "application/json")
                    .header("Authorization", "Bearer hush").POST(BodyPublishers.ofString(
                            "{\"messages\":[{\"role\":\"user\",\"content\":\"What is the capital of France?\"}]}")).build();
            HttpResponse<String> answer = client.send(ask, BodyHandlers.ofString());
            assertEquals(200, answer.statusCode(), answer.body());
            assertTrue(answer.body().contains("The capital of France is Paris."), "the checkpoint recommends no draw: " + answer.body());
            serve.terminate();
            serve.end(30);
            String said = serve.said();
            assertTrue(Pattern.compile("context +128 +\\S+poot.properties").matcher(said).find(), said);
            assertTrue(Pattern.compile("port +0 +--port").matcher(said).find(), said);
            assertTrue(Pattern.compile("offline +true +--offline").matcher(said).find(), said);
            assertTrue(Pattern.compile("api-key +\\*\\*\\* +POOT_SERVE_API_KEY").matcher(said).find() && !said.contains("hush"), said);
            String log = String.join("\n", serve.log());
            assertTrue(log.contains("\"route\":\"/v1/chat/completions\",\"status\":200"), log);
        }
    }

    @Test
    void saysWhatIsWrongWithASetting(@TempDir Path folder) throws Exception {
        try (ServeProcess serve = new ServeProcess(folder, "--kv", "f8")) {
            assertEquals(1, serve.end(30));
            assertTrue(serve.said().contains("kv (--kv) is \"f8\"; give f32, f16, bf16 or q8_0"), serve.said());
        }
    }
}
