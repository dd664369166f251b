package poot.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.json.JsonMapper;

/** One process of the packaged command, on its own module path, that runs many command lines; see {@link CommandLines}. */
final class Shell implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final BufferedReader err;

    private Shell(Process process) {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
        this.err = process.errorReader(StandardCharsets.UTF_8);
    }

    /** The command line that `./poot` ends in, without a subcommand. */
    static List<String> poot() throws IOException {
        List<String> command = java();
        command.addAll(List.of("--module", "poot.serve/poot.serve.Main"));
        return command;
    }

    private static List<String> java() throws IOException {
        Path options = Repository.root().resolve("launch/java.options");
        return new ArrayList<>(List.of(Launched.java(), "@" + options, "--module-path", Repository.modules().toString()));
    }

    /** What `./poot` sets for it. */
    static Map<String, String> environment() {
        return Map.of("POOT_HOME", Repository.root().toString());
    }

    static Shell open() throws IOException, URISyntaxException {
        return open(Map.of());
    }

    /** A process with more variables in its environment. */
    static Shell open(Map<String, String> more) throws IOException, URISyntaxException {
        List<String> command = java();
        Path classes = Path.of(CommandLines.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        command.addAll(List.of("--add-modules", "poot.serve", "--add-exports", "poot.serve/poot.serve.command=ALL-UNNAMED",
                "-cp", classes.toString(), CommandLines.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command).directory(Repository.root().toFile());
        builder.environment().putAll(environment());
        builder.environment().putAll(more);
        Shell shell = new Shell(builder.start());
        upToEnd(shell.err);
        return shell;
    }

    /** Runs one command line without input. */
    Launched run(String... words) throws IOException {
        return feed("", words);
    }

    /** Runs one command line that reads {@code in}. */
    Launched feed(String in, String... words) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8)
                .append(JsonMapper.shared().writeValueAsString(Map.of("words", words, "in", in))).append('\n').flush();
        CompletableFuture<String> errors = CompletableFuture.supplyAsync(() -> {
            try {
                return upToEnd(err);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        String text = upToEnd(out);
        int end = text.lastIndexOf(CommandLines.END);
        int status = Integer.parseInt(text.substring(end + CommandLines.END.length()).strip());
        String said = errors.join();
        return new Launched(status, text.substring(0, end), said.substring(0, said.lastIndexOf(CommandLines.END)));
    }

    private static String upToEnd(BufferedReader in) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            text.append((char) c);
            if (c == '\n' && text.lastIndexOf(CommandLines.END) > text.lastIndexOf("\n", text.length() - 2)) {
                return text.toString();
            }
        }
        throw new AssertionError("the command's process ended: " + text);
    }

    @Override
    public void close() throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).close();
    }
}
