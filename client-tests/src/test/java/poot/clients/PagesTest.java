package poot.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import poot.serve.config.ServerOptions;
import poot.serve.http.PootServer;

/** The server's own pages, used in a browser; pictures of them are left in {@code target/browser}. */
class PagesTest {
    private static final Path DEMO = Path.of("..", "models", "poot-tiny");
    private static final String KEY = "a-key-of-this-test";

    private static PootServer open;
    private static PootServer keyed;

    @BeforeAll
    static void start() throws Exception {
        open = server(List.of());
        keyed = server(List.of(KEY));
    }

    private static PootServer server(List<String> keys) throws Exception {
        ServerOptions options = ServerOptions.DEFAULT.withAddress("127.0.0.1", 0)
                .withAccess(new ServerOptions.Access(keys, List.of(), Optional.empty()));
        return PootServer.builder().model(DEMO).options(options).log(line -> { }).start();
    }

    @AfterAll
    static void stop() {
        try {
            open.close();
        } finally {
            keyed.close();
        }
    }

    @TestFactory
    Stream<DynamicTest> pages() {
        Browser browser;
        try {
            browser = Browser.find();
        } catch (IOException | InterruptedException e) {
            return Stream.of(DynamicTest.dynamicTest("pages", () -> abort("a browser cannot be had here: " + e.getMessage())));
        }
        SequencedMap<String, String> results;
        try {
            results = browser.run(open.url().orElseThrow(), keyed.url().orElseThrow(), KEY);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("the pages' checks did not run to their end", e);
        }
        return results.entrySet().stream().map(r -> DynamicTest.dynamicTest(r.getKey(), () -> assertEquals("", r.getValue())));
    }
}
