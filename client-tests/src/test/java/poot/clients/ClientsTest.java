package poot.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/** Every client does what docs/clients.md says it does. */
class ClientsTest {
    private static TestServers running;

    @BeforeAll
    static void start() throws Exception {
        running = TestServers.start();
    }

    @AfterAll
    static void stop() {
        running.close();
    }

    @TestFactory
    Stream<DynamicNode> langChain4j() {
        return tests("LangChain4j 1.19.0 (OpenAI module)", new LangChain4jClient(running.servers()).features().checks());
    }

    @TestFactory
    Stream<DynamicNode> springAi() {
        return tests("Spring AI 2.0.1 (OpenAI client)", new SpringAiClient(running.servers()).features().checks());
    }

    @TestFactory
    Stream<DynamicNode> curl() {
        try {
            ScriptClient.output(List.of("curl", "--version"), Path.of("."), 10);
        } catch (IOException | InterruptedException e) {
            return skipped("curl", e);
        }
        return tests("curl", new CurlClient(running.servers()).features().checks());
    }

    @TestFactory
    Stream<DynamicNode> openaiNode() {
        try {
            Path folder = ScriptRuntimes.node();
            return script("openai 7.59.0 (npm)", List.of("node", folder.resolve("openai.mjs").toString()));
        } catch (IOException | InterruptedException e) {
            return skipped("openai (npm)", e);
        }
    }

    @TestFactory
    Stream<DynamicNode> vercel() {
        try {
            Path folder = ScriptRuntimes.node();
            return script("Vercel AI SDK 7.0.173", List.of("node", folder.resolve("vercel.mjs").toString()));
        } catch (IOException | InterruptedException e) {
            return skipped("Vercel AI SDK (npm)", e);
        }
    }

    @TestFactory
    Stream<DynamicNode> openaiPython() {
        try {
            return script("openai (Python)", List.of(ScriptRuntimes.python(), Path.of("src/test/python/openai_client.py").toString()));
        } catch (IOException | InterruptedException e) {
            return skipped("openai (Python)", e);
        }
    }

    private static Stream<DynamicNode> skipped(String client, Exception why) {
        return Stream.of(DynamicTest.dynamicTest(client, () -> abort(client + " cannot be had here: " + why.getMessage())));
    }

    private static Stream<DynamicNode> script(String client, List<String> command) throws IOException, InterruptedException {
        SequencedMap<String, Executable> checks = new LinkedHashMap<>();
        ScriptClient.run(command, running.servers()).forEach((feature, why) -> checks.put(feature, () -> assertEquals("", why, feature)));
        return tests(client, checks);
    }

    private static Stream<DynamicNode> tests(String client, SequencedMap<String, Executable> checks) {
        List<DynamicNode> nodes = new ArrayList<>();
        checks.forEach((feature, check) -> nodes.add(DynamicTest.dynamicTest(client + ": " + feature, check)));
        nodes.add(DynamicTest.dynamicTest(client + ": its row in docs/clients.md", () -> row(client, checks.keySet())));
        return nodes.stream();
    }

    private static void row(String client, Set<String> features) throws IOException {
        String row = ClientTable.row(client, features);
        assertTrue(ClientTable.has(row), () -> "docs/clients.md lacks\n" + ClientTable.head() + "\n" + row);
    }
}
