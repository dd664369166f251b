package poot.clients;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client in another language: a script that runs its checks and prints a line of JSON for each. */
final class ScriptClient {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int SECONDS = 180;

    private ScriptClient() {}

    /**
     * Runs a script.
     *
     * @return what went wrong by feature; an empty text where nothing did
     */
    static SequencedMap<String, String> run(List<String> script, Servers servers) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(script);
        for (Servers.Model m : List.of(servers.chat(), servers.chat(), servers.embedding())) {
            command.add(m.base().toString());
            command.add(m.id());
        }
        SequencedMap<String, String> results = new LinkedHashMap<>();
        for (String line : output(command, Path.of("."), SECONDS).lines().toList()) {
            if (line.startsWith("{")) {
                JsonNode result = JSON.readTree(line);
                results.put(result.get("feature").asString(), result.get("ok").asBoolean() ? "" : result.get("why").asString());
            }
        }
        if (results.isEmpty()) {
            throw new IOException(command + " printed no result");
        }
        return results;
    }

    /**
     * What a command printed.
     *
     * @throws IOException if it cannot be started, fails, or takes too long
     */
    static String output(List<String> command, Path folder, int seconds) throws IOException, InterruptedException {
        Path out = Path.of("target").toAbsolutePath().resolve("client-" + Math.abs(command.hashCode()) + ".out");
        Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).redirectOutput(out.toFile()).start();
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                throw new IOException(command + " took more than " + seconds + " s");
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        String text = java.nio.file.Files.readString(out, StandardCharsets.UTF_8);
        if (process.exitValue() != 0) {
            throw new IOException(command + " ended with status " + process.exitValue() + ": " + text.substring(0, Math.min(600, text.length())));
        }
        return text;
    }
}
