package poot.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where scripts run: Node.js and Python with the clients' packages, fetched into {@code target} once where they can be had. */
final class ScriptRuntimes {
    private static final int SECONDS = 240;
    private static final Path SOURCES = Path.of("src", "test").toAbsolutePath();
    private static final Path TARGET = Path.of("target").toAbsolutePath();

    private ScriptRuntimes() {}

    /**
     * The folder of the Node.js scripts, their packages beside them.
     *
     * @throws IOException saying why they cannot be had
     */
    static Path node() throws IOException, InterruptedException {
        ScriptClient.output(List.of("node", "--version"), Path.of("."), SECONDS);
        Path folder = Files.createDirectories(TARGET.resolve("node"));
        for (String file : List.of("package.json", "features.mjs", "openai.mjs", "vercel.mjs")) {
            Files.write(folder.resolve(file), Files.readAllBytes(SOURCES.resolve("node").resolve(file)));
        }
        ScriptClient.output(List.of("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"), folder, SECONDS);
        return folder;
    }

    /**
     * A Python interpreter that has the openai package: the machine's, or one of its own.
     *
     * @throws IOException saying why it cannot be had
     */
    static String python() throws IOException, InterruptedException {
        String machines = System.getenv().getOrDefault("POOT_TEST_PYTHON", "python3");
        if (has(machines)) {
            return machines;
        }
        Path own = TARGET.resolve("python");
        String python = own.resolve("bin").resolve("python").toString();
        if (!Files.exists(Path.of(python)) || !has(python)) {
            ScriptClient.output(List.of(machines, "-m", "venv", own.toString()), Path.of("."), SECONDS);
            ScriptClient.output(List.of(python, "-m", "pip", "install", "--quiet", "--retries", "1", "openai"), Path.of("."), SECONDS);
        }
        return python;
    }

    private static boolean has(String python) throws InterruptedException {
        try {
            ScriptClient.output(List.of(python, "-c", "import openai"), Path.of("."), SECONDS);
            return true;
        } catch (IOException e) {
            return false; // the caller makes one that has
        }
    }
}
