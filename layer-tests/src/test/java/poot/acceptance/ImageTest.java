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
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The runtime image runs by itself, and a backend's jar dropped into its plugins folder is found. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ImageTest {
    private static final String ANOTHER = """
            package another;
            import poot.api.executor.Availability;
            import poot.api.executor.Executor;
            import poot.api.executor.ExecutorException;
            import poot.api.executor.ExecutorOptions;
            import poot.api.executor.ExecutorProvider;
            public final class Another implements ExecutorProvider {
                public String name() { return "another"; }
                public int priority() { return 5; }
                public Availability probe() { return new Availability.Unavailable("it is only an example"); }
                public Executor open(ExecutorOptions options) throws ExecutorException {
                    throw new ExecutorException(new ExecutorException.NotAvailable("another", "it is only an example"));
                }
            }
            """;
    private static final String MODULE = """
            module another.backend {
                requires poot.api;
                provides poot.api.executor.ExecutorProvider with another.Another;
            }
            """;

    @Test
    void anImageRunsAndTakesABackend(@TempDir Path folder, TestReporter reporter) throws Exception {
        Path modules = Repository.modules();
        Path made = make(modules, folder.resolve("image"));
        reporter.publishEntry("image bytes", Long.toString(size(made)));
        answers(made, reporter);

        Path image = Files.move(made, Files.createDirectory(folder.resolve("another place")).resolve("its image"));
        answers(image, reporter);
        List<String> loaded = loaded(image, folder.resolve("classes.log"), "backends");
        long shared = loaded.stream().filter(ImageTest::archived).count();
        assertTrue(shared > 500, "the class archive is not used: " + shared + " classes from it");
        String missing = folder.resolve("no.pem").toString();
        List<String> server = loaded(image, folder.resolve("server.log"), "serve", "--port", "0", "--tls-certificate", missing, "--tls-key", missing)
                .stream().filter(l -> l.contains(" io.helidon.webserver.")).toList();
        assertFalse(server.isEmpty(), "the server was not begun");
        assertEquals(List.of(), server.stream().filter(l -> !archived(l)).toList());

        assertEquals(List.of("cuda", "cpu"), backends(image));
        plug(folder, modules, image.resolve("plugins"));
        assertEquals(List.of("cuda", "another", "cpu"), backends(image));
        Launched refused = poot(image, "generate", "--backend", "another", "x");
        assertEquals(1, refused.status());
        assertTrue(refused.err().contains("it is only an example"), refused.err());

        toy(folder, modules, image);
        assertEquals(List.of("cuda", "another", "cpu", "toy"), backends(image));
        Files.delete(image.resolve("plugins/toy.jar"));

        Path broken = Files.writeString(image.resolve("plugins/broken.jar"), "<html>not found</html>");
        Launched named = poot(image, "backends");
        assertEquals(1, named.status());
        assertEquals("poot: " + broken + " is not a jar, or not all of one: take it away, or copy it there again\n", named.err());
        Path elsewhere = Files.createDirectory(folder.resolve("more plugins"));
        Files.move(broken, elsewhere.resolve("broken.jar"));
        Launched further = Launched.run(List.of(image.resolve("bin/poot").toString(), "backends"), "", Map.of("POOT_PLUGINS", elsewhere.toString()));
        assertEquals("poot: " + elsewhere.resolve("broken.jar") + " is not a jar, or not all of one: take it away, or copy it there again\n",
                further.err());
        Files.writeString(image.resolve("plugins/broken.txt"), "no jar");
        assertEquals(List.of("cuda", "another", "cpu"), backends(image));

        Files.writeString(image.resolve("lib/poot.jsa"), "no archive");
        answers(image, reporter);
        Files.delete(image.resolve("lib/poot.jsa"));
        writable(image, false);
        try {
            answers(image, reporter);
        } finally {
            writable(image, true);
        }
    }

    /** Makes an image where there may be one already. */
    private static Path make(Path modules, Path image) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no /bin/sh: the image is made by a shell script");
        Files.writeString(Files.createDirectories(image).resolve("old"), "what an earlier making left");
        Path script = Repository.root().resolve("launch/image.sh");
        Launched made = Launched.run(List.of("/bin/sh", script.toString(), Repository.root().toString(), modules.toString(),
                "--output", image.toString()), "", Map.of("JAVA_HOME", System.getProperty("java.home")));
        assertEquals(0, made.status(), made.err());
        assertEquals("", made.out());
        assertTrue(Files.exists(image.resolve("lib/poot.jsa")), made.err());
        assertTrue(Files.notExists(image.resolve("old")), "the old image was left in place");
        return image;
    }

    /** The image answers, and says nothing else on standard output. */
    private static void answers(Path image, TestReporter reporter) throws Exception {
        long begin = System.nanoTime();
        Launched chat = poot(image, "chat", "Hello!");
        reporter.publishEntry("start, answer and end, ms", Long.toString((System.nanoTime() - begin) / 1_000_000));
        reporter.publishEntry("figures", chat.err().strip());
        assertEquals("Hello! How can I help you?\n", chat.out(), chat.err());
        assertEquals(0, chat.status());
    }

    /** What Java says of each class that a start loads. */
    private static List<String> loaded(Path image, Path log, String... words) throws Exception {
        Launched.run(Stream.concat(Stream.of(image.resolve("bin/poot").toString()), Stream.of(words)).toList(), "",
                Map.of("JAVA_TOOL_OPTIONS", "-Xlog:class+load:file=" + log));
        return Files.readAllLines(log);
    }

    private static boolean archived(String loaded) {
        return loaded.contains("source: shared objects file");
    }

    private static void writable(Path image, boolean may) throws IOException {
        try (Stream<Path> files = Files.walk(image)) {
            for (Path file : files.toList()) {
                assertTrue(file.toFile().setWritable(may, true), file.toString());
            }
        }
    }

    /** Runs the image with no JDK named anywhere, from wherever it lies. */
    private static Launched poot(Path image, String... words) throws Exception {
        return Launched.run(Stream.concat(Stream.of(image.resolve("bin/poot").toString()), Stream.of(words)).toList(), "",
                Map.of("JAVA_HOME", "", "POOT_HOME", "", "POOT_PLUGINS", ""));
    }

    /** The backends that an image lists, in order, but for Vulkan: where that stands depends on what devices there are. */
    private static List<String> backends(Path image) throws Exception {
        Launched run = poot(image, "backends", "--json");
        assertEquals(0, run.status(), run.err());
        List<String> listed = StreamSupport.stream(JsonMapper.shared().readTree(run.out()).spliterator(), false)
                .map((JsonNode b) -> b.get("name").asString()).toList();
        assertTrue(listed.contains("vulkan"), run.out());
        return listed.stream().filter(name -> !name.equals("vulkan")).toList();
    }

    /** Compiles an example's two texts against the packaged API and puts its jar among the plugins. */
    private static void plug(Path folder, Path modules, Path plugins) throws IOException {
        Path provider = Files.writeString(folder.resolve("Another.java"), ANOTHER);
        PluginJar.write(folder.resolve("another"), modules, MODULE, List.of(provider), plugins.resolve("another.jar"));
    }

    /** The toy backend, packed as its page says, gives the text the CPU gives, and refuses what it cannot run. */
    private static void toy(Path folder, Path modules, Path image) throws Exception {
        List<Path> sources = PluginJar.sources(Path.of("src/test/java/toy"), Path.of("src/test/java/poot/oracle"));
        PluginJar.write(folder.resolve("toy"), modules, PluginJar.module(Repository.root().resolve("docs/adding-a-backend.md")),
                sources, image.resolve("plugins/toy.jar"));
        String[] words = {"generate", "--max-tokens", "24", "--backend", "cpu", "Once upon a time"};
        Launched cpu = poot(image, words);
        assertEquals(0, cpu.status(), cpu.err());
        assertTrue(cpu.out().strip().length() > 40, cpu.out());
        words[4] = "toy";
        Launched toy = poot(image, words);
        assertEquals(0, toy.status(), toy.err());
        assertEquals(cpu.out(), toy.out());
        Launched refused = poot(image, "generate", "--temperature", "0.8", "--backend", "toy", "Once upon a time");
        assertEquals(1, refused.status(), refused.out());
        assertTrue(refused.err().contains("target toy cannot run") && refused.err().contains("it has no random bits"), refused.err());
    }

    private static long size(Path image) throws IOException {
        try (Stream<Path> files = Files.walk(image)) {
            return files.filter(Files::isRegularFile).mapToLong(f -> f.toFile().length()).sum();
        }
    }
}
