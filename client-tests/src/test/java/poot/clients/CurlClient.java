package poot.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The curl command against a server. */
final class CurlClient {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Servers servers;

    CurlClient(Servers servers) {
        this.servers = servers;
    }

    Features features() {
        return new Features().with("models", this::models).with("chat", this::chat).with("stream", this::stream)
                .with("completions", this::completions).with("embeddings", this::embeddings).with("errors", this::errors);
    }

    private static String curl(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("curl", "-sS", "--max-time", "60"));
        command.addAll(List.of(words));
        Process p = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(p.waitFor(60, TimeUnit.SECONDS), "curl did not end");
        assertEquals(0, p.exitValue(), out);
        return out;
    }

    private static String post(String url, String body) throws IOException, InterruptedException {
        return curl("-H", "Content-Type: application/json", "-d", body, url);
    }

    private String ask(String more) {
        return "{\"model\":\"" + servers.chat().id() + "\",\"messages\":[{\"role\":\"user\",\"content\":\"What is the capital of France?\"}],"
                + "\"max_tokens\":12,\"temperature\":0" + more + "}";
    }

    private void models() throws Exception {
        assertEquals(servers.chat().id(), JSON.readTree(curl(servers.chat().v1() + "/models")).at("/data/0/id").asString());
    }

    private void chat() throws Exception {
        JsonNode r = JSON.readTree(post(servers.chat().v1() + "/chat/completions", ask("")));
        assertTrue(!r.at("/choices/0/message/content").asString("").isEmpty(), r.toString());
    }

    private void stream() throws Exception {
        String whole = JSON.readTree(post(servers.chat().v1() + "/chat/completions", ask(""))).at("/choices/0/message/content").asString();
        StringBuilder pieces = new StringBuilder();
        List<String> lines = curl("-N", "-H", "Content-Type: application/json", "-d", ask(",\"stream\":true"),
                servers.chat().v1() + "/chat/completions").lines().filter(l -> l.startsWith("data: ")).toList();
        assertEquals("data: [DONE]", lines.getLast());
        for (String line : lines.subList(0, lines.size() - 1)) {
            pieces.append(JSON.readTree(line.substring(6)).at("/choices/0/delta/content").asString(""));
        }
        assertEquals(whole, pieces.toString());
    }

    private void completions() throws Exception {
        JsonNode r = JSON.readTree(post(servers.chat().v1() + "/completions",
                "{\"model\":\"" + servers.chat().id() + "\",\"prompt\":\"The capital of France is\",\"max_tokens\":6,\"temperature\":0}"));
        assertTrue(!r.at("/choices/0/text").asString("").isEmpty(), r.toString());
    }

    private void embeddings() throws Exception {
        JsonNode r = JSON.readTree(post(servers.embedding().v1() + "/embeddings",
                "{\"model\":\"" + servers.embedding().id() + "\",\"input\":[\"a cat\",\"a dog\"]}"));
        assertEquals(2, r.path("data").size(), r.toString());
    }

    private void errors() throws Exception {
        String head = curl("-o", "/dev/null", "-w", "%{http_code}", "-H", "Content-Type: application/json", "-d", "{\"model\":",
                servers.chat().v1() + "/chat/completions");
        assertEquals("400", head);
        JsonNode r = JSON.readTree(post(servers.chat().v1() + "/chat/completions", ask(",\"n\":0")));
        assertEquals("n", r.at("/error/param").asString(), r.toString());
    }
}
