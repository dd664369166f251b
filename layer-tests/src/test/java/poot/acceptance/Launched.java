package poot.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A process run to its end.
 *
 * @param status its exit status
 * @param out    standard output, UTF-8
 * @param err    standard error, UTF-8
 */
record Launched(int status, String out, String err) {
    private static final int SECONDS = 120;

    /** The {@code java} the tests run on. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Runs a command in the repository's root, feeding it {@code in}; one that does not end in time is killed and fails. */
    static Launched run(List<String> command, String in, Map<String, String> environment) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(Repository.root().toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        CompletableFuture<String> out = CompletableFuture.supplyAsync(() -> text(process.getInputStream()));
        CompletableFuture<String> err = CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
        try (var feed = process.outputWriter(StandardCharsets.UTF_8)) {
            feed.write(in);
        }
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("not done after " + SECONDS + " s: " + command);
        }
        return new Launched(process.exitValue(), out.join(), err.join());
    }

    private static String text(InputStream stream) {
        try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A JVM with the tests' class path, running one of their main classes. */
    static List<String> testMain(Class<?> main, List<String> options, String... arguments) {
        List<String> command = new ArrayList<>(List.of(java(), "--add-modules", "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
