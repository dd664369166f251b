package poot.clients;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Chromium, driven by a script under Node.js.
 *
 * @param chromium the command that starts it
 * @param folder   the scripts, the package they need beside them; pictures are put here
 */
record Browser(String chromium, Path folder) {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int SECONDS = 240;
    private static final Path SOURCES = Path.of("src", "test").toAbsolutePath();

    /**
     * Chromium, where {@code POOT_TEST_CHROMIUM} or the search path has it, and the scripts' package, fetched once.
     *
     * @throws IOException saying what cannot be had
     */
    static Browser find() throws IOException, InterruptedException {
        String chromium = installed();
        ScriptClient.output(List.of("node", "--version"), Path.of("."), SECONDS);
        Path folder = Files.createDirectories(Path.of("target", "browser").toAbsolutePath());
        for (String file : List.of("browser/package.json", "browser/pages.mjs", "browser/chat.mjs", "browser/access.mjs", "node/features.mjs")) {
            Path source = SOURCES.resolve(file);
            Files.write(folder.resolve(source.getFileName()), Files.readAllBytes(source));
        }
        ScriptClient.output(List.of("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"), folder, SECONDS);
        return new Browser(chromium, folder);
    }

    private static String installed() throws IOException {
        String named = System.getenv("POOT_TEST_CHROMIUM");
        if (named != null) {
            return named;
        }
        for (String directory : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
                Path file = Path.of(directory, name);
                if (Files.isExecutable(file)) {
                    return file.toAbsolutePath().toString();
                }
            }
        }
        throw new IOException("no chromium, chromium-browser or google-chrome on the search path; POOT_TEST_CHROMIUM may name one");
    }

    /** What went wrong by feature; an empty text where nothing did. */
    SequencedMap<String, String> run(String open, String keyed, String key) throws IOException, InterruptedException {
        List<String> command = List.of("node", folder.resolve("pages.mjs").toString(), chromium, open, keyed, key, folder.toString());
        SequencedMap<String, String> results = new LinkedHashMap<>();
        for (String line : ScriptClient.output(command, folder, SECONDS).lines().filter(l -> l.startsWith("{")).toList()) {
            JsonNode result = JSON.readTree(line);
            results.put(result.get("feature").asString(), result.get("ok").asBoolean() ? "" : result.get("why").asString());
        }
        if (results.isEmpty()) {
            throw new IOException(command + " printed no result");
        }
        return results;
    }
}
