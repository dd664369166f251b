package poot.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helidon.webserver.WebServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import poot.api.driver.DriverOptions;
import poot.api.executor.Executor;
import poot.core.driver.Driver;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.families.Families;
import poot.serve.config.Setting;
import poot.serve.http.PootServer;
import poot.serve.openai.ChatFields;
import poot.serve.openai.OtherFields;
import poot.serve.openai.ResponseFields;
import poot.serve.schema.FieldTable;
import poot.serve.schema.Shape;
import poot.step.Backend;

/** The documentation of serving: its programs run, its tables are those of the declarations. */
class ServingTest {
    private static final Path DOCUMENT = Path.of("../docs/serving.md");

    @Test
    void theRoutesCanBeMounted() throws Exception {
        try (ModelHandle model = ModelHandle.load(Path.of("../models/poot-tiny"), Families.registry(), LoadOptions.DEFAULT);
                Executor executor = Backend.CPU.open();
                PootServer poot = PootServer.builder().driver(
                        Driver.over(model, executor, DriverOptions.DEFAULT.withCapacity(128)).prepare().orElseThrow(), model).mount();
                HttpClient client = HttpClient.newHttpClient()) {
            WebServer server = Serving.mount(poot);
            try {
                assertEquals("an application", get(client, server, "/"));
                assertTrue(get(client, server, "/ai/v1/models").contains("\"model\""));
                assertTrue(get(client, server, "/ai/v1/models").contains("\"max_model_len\":128"));
            } finally {
                server.stop();
            }
        }
    }

    private static String get(HttpClient client, WebServer server, String path) throws Exception {
        URI uri = URI.create("http://localhost:" + server.port() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    }

    @Test
    void thePageShowsThosePrograms() throws Exception {
        String source = Files.readString(Path.of("src/test/java/poot/docs/Serving.java"));
        String page = Files.readString(DOCUMENT);
        for (String method : new String[] {"serve(String[] args) throws Exception {\n", "mount(PootServer poot) {\n"}) {
            int from = source.indexOf(method) + method.length();
            String body = source.substring(from, source.indexOf("\n    }\n", from)).stripIndent();
            assertTrue(page.contains("```java\n" + body + "\n```"), body);
        }
    }

    @Test
    void thePageListsEveryFieldAndSetting() throws Exception {
        StringBuilder wanted = new StringBuilder();
        table(wanted, "POST /v1/chat/completions", ChatFields.REQUEST);
        table(wanted, "POST /v1/completions", OtherFields.COMPLETION);
        table(wanted, "POST /v1/responses", ResponseFields.REQUEST);
        table(wanted, "POST /v1/embeddings", OtherFields.EMBEDDING);
        table(wanted, "POST /v1/rerank", OtherFields.RERANK);
        table(wanted, "POST /tokenize", OtherFields.TOKENIZE);
        table(wanted, "POST /detokenize", OtherFields.DETOKENIZE);
        wanted.append("## Settings\n\n| setting | default | |\n|---|---|---|\n");
        for (Setting s : Setting.ALL) {
            wanted.append("| `").append(s.name()).append("` | ").append(s.usual()).append(" | ").append(s.text()).append(" |\n");
        }
        String page = Files.readString(DOCUMENT);
        int at = page.indexOf("## POST /v1/chat/completions");
        if (System.getProperty("poot.goldens", "").equals("write")) {
            Files.writeString(DOCUMENT, page.substring(0, at) + wanted);
            page = Files.readString(DOCUMENT);
        }
        assertEquals(wanted.toString(), page.substring(at), "rewrite it with -Dpoot.goldens=write");
    }

    private static void table(StringBuilder out, String title, Shape shape) {
        out.append("## ").append(title).append("\n\n").append(FieldTable.of(shape)).append('\n');
    }
}
