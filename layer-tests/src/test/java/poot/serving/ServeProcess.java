package poot.serving;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code poot serve} as a process on the module path. Closing it kills it. */
final class ServeProcess implements AutoCloseable {
    /** The key it asks for. */
    static final String KEY = "hush";

    private static final Pattern SERVES = Pattern.compile("poot: (http://\\S+) serves .*");

    private final Process process;
    private final Path log;
    private final BufferedReader error;
    private final StringBuilder said = new StringBuilder();

    /** Starts one whose log lies in {@code folder}. */
    ServeProcess(Path folder, String... flags) throws IOException {
        String modules = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(p -> p.contains("poot.") || p.contains("jackson-") || p.contains("helidon") || p.contains("picocli") || p.contains("lwjgl"))
                .filter(p -> !p.contains("test-classes")).collect(Collectors.joining(File.pathSeparator));
        List<String> words = Stream.concat(Stream.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g", "-XX:+UseSerialGC",
                "--module-path", modules, "--add-modules", "jdk.incubator.vector,poot.backend.cpu",
                "--enable-native-access=poot.core,poot.backend.cpu,poot.backend.cuda,poot.backend.vulkan,org.lwjgl", "--module",
                "poot.serve/poot.serve.Main", "serve"), Stream.of(flags)).toList();
        log = folder.resolve("log");
        ProcessBuilder builder = new ProcessBuilder(words).redirectOutput(log.toFile());
        builder.environment().put("POOT_SERVE_API_KEY", KEY);
        process = builder.start();
        error = new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
    }

    /** Waits until it takes requests; where. */
    String url() throws IOException {
        for (String line; (line = error.readLine()) != null; ) {
            said.append(line).append('\n');
            Matcher m = SERVES.matcher(line);
            if (m.matches()) {
                return m.group(1);
            }
        }
        throw new AssertionError(said.toString());
    }

    /** Sends SIGTERM. */
    void terminate() {
        // Not by the process, which would close what the end is read from.
        process.toHandle().destroy();
    }

    /** Waits for its end and reads the rest of what it says; its exit status. */
    int end(int seconds) throws IOException, InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            throw new AssertionError("not over after " + seconds + " s: " + said);
        }
        for (String line; (line = error.readLine()) != null; ) {
            said.append(line).append('\n');
        }
        return process.exitValue();
    }

    /** What it wrote to standard error so far. */
    String said() {
        return said.toString();
    }

    /** The lines of its log. */
    List<String> log() throws IOException {
        return Files.readAllLines(log);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
