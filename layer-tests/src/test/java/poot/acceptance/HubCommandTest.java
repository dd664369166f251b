package poot.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import poot.hub.StandIn;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The packaged command takes models by name from a hub, here a stand-in that serves the demo model. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class HubCommandTest {
    private static final String NAME = "hf.co/poot/poot-tiny";

    private StandIn hub;
    private Shell shell;

    @TempDir
    private Path folder;

    @BeforeEach
    void open() throws Exception {
        Repository.modules();
        hub = StandIn.start();
        try (Stream<Path> files = Files.list(Repository.demoModel())) {
            for (Path f : files.filter(Files::isRegularFile).toList()) {
                hub.put("poot/poot-tiny", f.getFileName().toString(), Files.readAllBytes(f));
            }
        }
        shell = Shell.open(environment());
    }

    @AfterEach
    void close() throws IOException {
        if (shell != null) {
            shell.close();
            hub.close();
        }
    }

    private Map<String, String> environment() {
        return Map.of("HF_ENDPOINT", hub.endpoint().toString(), "POOT_CACHE", folder.resolve("cache").toString(),
                "HF_HOME", folder.resolve("hub").toString(), "HF_HUB_CACHE", "", "HF_TOKEN", "", "HF_HUB_OFFLINE", "", "POOT_OFFLINE", "");
    }

    private static String out(Launched run) {
        assertEquals(0, run.status(), run.toString());
        return run.out();
    }

    private Launched refused(String named, String... words) throws IOException {
        Launched run = shell.run(words);
        assertEquals(1, run.status(), run.toString());
        assertTrue(run.err().startsWith("poot: ") && run.err().contains(named) && run.err().strip().lines().count() == 1, run.toString());
        return run;
    }

    private JsonNode list() throws IOException {
        return JsonMapper.shared().readTree(out(shell.run("list", "--json")));
    }

    @Test
    void aModelIsNamedPulledListedUsedAndRemoved() throws Exception {
        assertEquals(0, list().size());
        Launched pulled = shell.run("pull", NAME + ":q8_0");
        Path file = Path.of(out(pulled).strip());
        Path stored = Repository.demoModel().resolve("poot-tiny-q8_0.gguf");
        assertEquals(-1, Files.mismatch(stored, file));
        assertTrue(pulled.err().contains("poot: pulling poot/poot-tiny: ") && pulled.err().contains("in 1 file"), pulled.err());

        int asked = hub.requests();
        String[] words = {"generate", "-n", "12", "--prompt-ids", "1,2,3", "--output", "ids", "-m"};
        String byPath = out(shell.run(and(words, stored.toString())));
        Launched byName = shell.run(and(words, NAME + ":Q8_0"));
        assertEquals(byPath, out(byName));
        assertFalse(byName.err().contains("pulling"), byName.err());
        assertEquals(asked, hub.requests(), "what is cached needs no hub");

        Launched directory = shell.run(and(words, "https://huggingface.co/poot/poot-tiny"));
        assertEquals(out(shell.run(and(words, Repository.demoModel().toString()))), out(directory));
        assertTrue(directory.err().contains("poot: pulling poot/poot-tiny"), directory.err());
        assertEquals(out(shell.feed("\"Hello\"\n", "tokenize")), out(shell.feed("\"Hello\"\n", "tokenize", "-m", NAME)));

        JsonNode all = list();
        assertEquals(2, all.size(), all.toString());
        assertEquals(List.of(NAME + ":poot-tiny-q8_0.gguf", NAME), List.of(all.get(0).get("name").asString(), all.get(1).get("name").asString()));
        assertEquals(Files.size(stored), all.get(0).get("bytes").asLong());
        assertEquals(file.toString(), all.get(0).get("path").asString());
        assertTrue(out(shell.run("list")).contains(NAME + ":poot-tiny-q8_0.gguf  0123456789ab  "), out(shell.run("list")));

        hub.close();
        assertEquals(byPath, out(shell.run(and(words, NAME + ":Q8_0", "--offline"))));
        refused("poot-tiny-q8_0.gguf", "info", "--offline", "-m", NAME + ":f16");
        refused("cannot be reached", "info", "-m", NAME + ":f16");

        Launched removed = shell.run("rm", NAME + ":q8_0");
        assertTrue(removed.status() == 0 && removed.err().contains("removed " + NAME), removed.toString());
        assertEquals(1, list().size());
        assertFalse(Files.exists(file));
        refused("not in the cache", "rm", NAME + ":q8_0");
        assertEquals(0, shell.run("rm", NAME).status());
        assertEquals(0, list().size());
    }

    @Test
    void namesThatAreNoneAreRefused() throws Exception {
        refused("hf.co/OWNER/REPO", "pull", "hf.co/poot");
        refused("models/poot-tiny", "pull", "models/poot-tiny");
        refused("hf.co/poot/none", "pull", "hf.co/poot/none", "--offline");
        refused("poot/none", "generate", "-m", "hf.co/poot/none", "x");
        refused("poot-tiny-q8_0.gguf", "generate", "-m", NAME + ":Q2_K", "x");
        refused("example.com", "generate", "-m", "https://example.com/a/b", "x");
        assertEquals(2, shell.run("pull").status());
    }

    private static String[] and(String[] words, String... more) {
        return Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
    }
}
