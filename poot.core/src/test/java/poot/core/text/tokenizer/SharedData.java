package poot.core.text.tokenizer;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import poot.api.model.CheckpointException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The shared test data; a test whose data is missing is skipped by name. */
final class SharedData {
    private static final Path ROOT = Path.of(System.getProperty("poot.shared", "../../shared"));

    private SharedData() {
    }

    static Path path(String name) {
        Path path = ROOT.resolve(name);
        assumeTrue(Files.exists(path), () -> "shared test data missing: " + path);
        return path;
    }

    static JsonNode json(String name) {
        return new JsonMapper().readTree(path(name).toFile());
    }

    static byte[] unzipped(String name) throws IOException {
        try (InputStream in = new GZIPInputStream(new BufferedInputStream(Files.newInputStream(path(name))))) {
            return in.readAllBytes();
        }
    }

    /** A real tokenizer.json, which lies there compressed. */
    static Tokenizer hub(String name) throws IOException, CheckpointException {
        Path file = path("tokenizers/" + name + "/tokenizer.json.gz");
        try (InputStream in = new GZIPInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            return TokenizerJson.read(in, file);
        }
    }

    static int[] ints(JsonNode list) {
        int[] out = new int[list.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = list.get(i).intValue();
        }
        return out;
    }
}
