package poot.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process on the module path: settings, an answer, the end by SIGTERM. */
class ServeCommandTest {
    private static final Pattern SERVES = Pattern.compile("poot: (http://\\S+) serves .*");

    private static Process start(Path folder, String... flags) throws Exception {
        String modules = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(p -> p.contains("poot.") || p.contains("jackson-") || p.contains("helidon") || p.contains("picocli"))
                .filter(p -> !p.contains("test-classes")).collect(Collectors.joining(File.pathSeparator));
        List<String> words = Stream.concat(Stream.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g", "-XX:+UseSerialGC",
                "--module-path", modules, "--add-modules", "jdk.incubator.vector,poot.backend.cpu",
                "--enable-native-access=poot.core,poot.backend.cpu,poot.backend.cuda", "--module", "poot.serve/poot.serve.Main", "serve"), Stream.of(flags)).toList();
        ProcessBuilder process = new ProcessBuilder(words).redirectOutput(folder.resolve("log").toFile());
        process.environment().put("POOT_SERVE_API_KEY", "hush");
        return process.start();
    }

    @Test
    void servesUntilItIsToldToStop(@TempDir Path folder) throws Exception {
        Path config = Files.writeString(folder.resolve("poot.properties"), "context = 128\nport = 1\nrunning = 2\n");
        Process serve = start(folder, "--config", config.toString(), "--port", "0", "-m", Site.DEMO.toString(), "--threads", "1");
        StringBuilder said = new StringBuilder();
        try (BufferedReader err = new BufferedReader(new InputStreamReader(serve.getErrorStream(), StandardCharsets.UTF_8));
                HttpClient client = HttpClient.newHttpClient()) {
            String url = "";
            for (String line; url.isEmpty() && (line = err.readLine()) != null; ) {
                said.append(line).append('\n');
                Matcher m = SERVES.matcher(line);
                url = m.matches() ? m.group(1) : "";
            }
            assertTrue(!url.isEmpty(), said.toString());
            HttpRequest ask = HttpRequest.newBuilder(URI.create(url + "/v1/chat/completions")).header("Content-Type", "application/json")
                    .header("Authorization", "Bearer hush").POST(BodyPublishers.ofString(
                            "{\"messages\":[{\"role\":\"user\",\"content\":\"What is the capital of France?\"}]}")).build();
            HttpResponse<String> answer = client.send(ask, BodyHandlers.ofString());
            assertEquals(200, answer.statusCode(), answer.body());
            assertTrue(answer.body().contains("The capital of France is Paris."), "the checkpoint recommends no draw: " + answer.body());
            serve.destroy();
            assertTrue(serve.waitFor(30, TimeUnit.SECONDS));
        } finally {
            serve.destroyForcibly();
        }
        assertTrue(Pattern.compile("context +128 +\\S+poot.properties").matcher(said).find(), said.toString());
        assertTrue(Pattern.compile("port +0 +--port").matcher(said).find(), said.toString());
        assertTrue(Pattern.compile("api-key +\\*\\*\\* +POOT_SERVE_API_KEY").matcher(said).find() && !said.toString().contains("hush"), said.toString());
        String log = Files.readString(folder.resolve("log"));
        assertTrue(log.contains("\"route\":\"/v1/chat/completions\",\"status\":200"), log);
    }

    @Test
    void saysWhatIsWrongWithASetting(@TempDir Path folder) throws Exception {
        Process serve = start(folder, "--kv", "f8");
        String said = new String(serve.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(1, serve.waitFor());
        assertTrue(said.contains("kv (--kv) is \"f8\"; give f32, f16, bf16 or q8_0"), said);
    }
}
