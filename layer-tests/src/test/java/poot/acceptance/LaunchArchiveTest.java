package poot.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code launch/archive.sh} with a Java that is none: what becomes of the server that it starts, and of its files. */
@Timeout(60)
class LaunchArchiveTest {
    /** Makes what it is asked for; a server notes its process and its settings, and runs until it is told to stop. */
    private static final String JAVA = """
            #!/bin/sh
            for word; do
              case $word in
                -XX:DumpLoadedClassList=*) echo a.Class >"${word#*=}" ;;
                -XX:SharedArchiveFile=*) echo archive >"${word#*=}" ;;
                serve | load) what=$word ;;
              esac
            done
            case ${what:-} in
              serve)
                [ ! -e "$POOT_HOME/no port" ] || { echo "no port can be had" >&2; exit 1; }
                env >"$POOT_HOME/settings"
                echo $$ >"$POOT_HOME/server"
                trap 'exit 143' TERM
                echo "poot: http://127.0.0.1:1 serves it; ctrl-C stops it" >&2
                while :; do sleep 0.1; done ;;
              load)
                : >"$POOT_HOME/loading"
                [ ! -e "$POOT_HOME/slow" ] || sleep 1 ;;
            esac
            """;

    @TempDir
    private Path root;
    private Path home;
    private Path out;

    @BeforeEach
    void write() throws IOException {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no /bin/sh: the archive is made by a shell script");
        home = Files.createDirectory(root.resolve("a home"));
        out = Files.createDirectory(root.resolve("out"));
        Files.createFile(Files.createDirectory(root.resolve("modules")).resolve("poot.none.jar"));
        Files.createDirectory(root.resolve("bin"));
        executable("java", JAVA);
        executable("jar", "#!/bin/sh\n");
    }

    private void executable(String name, String text) throws IOException {
        Files.setPosixFilePermissions(Files.writeString(root.resolve("bin").resolve(name), text), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private List<String> command() {
        return List.of("/bin/sh", Repository.root().resolve("launch/archive.sh").toString(), home.toString(), out.resolve("poot.jsa").toString(),
                root.resolve("modules").toString(), root.resolve("bin/java").toString(), "-an-option");
    }

    private Map<String, String> environment() {
        return Map.of("JAVA_HOME", root.toString(), "POOT_SERVE_API_KEY", "hush", "POOT_SERVE_HOST", "0.0.0.0");
    }

    private List<String> left() throws IOException {
        try (Stream<Path> files = Files.list(out)) {
            return files.map(f -> f.getFileName().toString()).toList();
        }
    }

    private boolean serves() throws IOException {
        return ProcessHandle.of(Long.parseLong(Files.readString(home.resolve("server")).strip())).filter(ProcessHandle::isAlive).isPresent();
    }

    @Test
    void theServerHasSettingsOfItsOwnAndEnds() throws Exception {
        Launched made = Launched.run(command(), "", environment());
        assertEquals("", made.err());
        assertEquals(0, made.status());
        assertEquals(List.of("poot.jsa"), left());
        assertFalse(Files.readString(home.resolve("settings")).contains("POOT_SERVE_"));
        assertFalse(serves());
    }

    @Test
    void withoutAServerThereIsAnArchiveAllTheSame() throws Exception {
        Files.createFile(home.resolve("no port"));
        Launched made = Launched.run(command(), "", environment());
        assertEquals("no port can be had\npoot: the class archive is without a server's classes (above is why); `poot serve` starts more slowly\n",
                made.err());
        assertEquals(0, made.status());
        assertEquals(List.of("poot.jsa"), left());
    }

    @ParameterizedTest
    @CsvSource({"HUP, 129", "INT, 130", "TERM, 143"})
    void aSignalLeavesNothing(String signal, int status) throws Exception {
        String heeding = "trap 'exit 7' " + signal + "; kill -s " + signal + " $$; exit 0";
        Assumptions.assumeTrue(Launched.run(List.of("/bin/sh", "-c", heeding), "", Map.of()).status() == 7,
                "whoever runs this ignores " + signal + ", which no shell under it can then heed");
        Files.createFile(home.resolve("slow"));
        ProcessBuilder builder = new ProcessBuilder(command()).redirectErrorStream(true).redirectOutput(root.resolve("said").toFile());
        builder.environment().putAll(environment());
        Process made = builder.start();
        try {
            while (!Files.exists(home.resolve("loading"))) {
                assertTrue(made.isAlive(), "it ended");
                Thread.sleep(10);
            }
            assertTrue(serves());
            Launched.run(List.of("kill", "-s", signal, Long.toString(made.pid())), "", Map.of());
            assertTrue(made.waitFor(30, TimeUnit.SECONDS), "it goes on");
            assertEquals(status, made.exitValue(), Files.readString(root.resolve("said")));
            assertEquals(List.of(), left());
            assertFalse(serves());
        } finally {
            made.destroyForcibly();
        }
    }
}
