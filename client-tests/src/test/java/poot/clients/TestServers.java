package poot.clients;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import poot.serve.config.ServerOptions;
import poot.serve.http.PootServer;

/** The servers of a run: the demo model, and the embedding model of the shared data, or the demo model where that is missing. */
final class TestServers implements AutoCloseable {
    private static final Path DEMO = Path.of("..", "models", "poot-tiny");
    private static final String EMBEDDING = "all-MiniLM-L6-v2";

    private final PootServer chat;
    private final Path embeds;
    private final PootServer embedding;

    private TestServers(PootServer chat, Path embeds, PootServer embedding) {
        this.chat = chat;
        this.embeds = embeds;
        this.embedding = embedding;
    }

    static TestServers start() throws Exception {
        PootServer chat = server(DEMO);
        try {
            Path shared = Path.of(System.getProperty("poot.shared", "../../shared"), "models", EMBEDDING);
            Path embeds = Files.isDirectory(shared) ? shared : DEMO;
            return new TestServers(chat, embeds, server(embeds));
        } catch (Exception e) {
            chat.close();
            throw e;
        }
    }

    private static PootServer server(Path model) throws Exception {
        return PootServer.builder().model(model).options(ServerOptions.DEFAULT.withAddress("127.0.0.1", 0)).log(line -> { }).start();
    }

    Servers servers() {
        return new Servers(model(chat, DEMO), model(embedding, embeds));
    }

    private static Servers.Model model(PootServer server, Path model) {
        return new Servers.Model(URI.create(server.url().orElseThrow()), model.getFileName().toString());
    }

    @Override
    public void close() {
        embedding.close();
        chat.close();
    }
}
