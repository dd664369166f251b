package poot.serve.openai;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import poot.serve.json.JsonText;
import poot.serve.json.JsonTrouble;
import tools.jackson.databind.JsonNode;

/**
 * How tokens are chosen where a request does not say: what the checkpoint's {@code generation_config.json} recommends,
 * else as OpenAI documents its API, temperature 1 over all tokens.
 *
 * @param temperature T, 0 where the checkpoint says {@code "do_sample": false}
 * @param topK        k; 0 for all
 * @param topP        p; 1 for all
 * @param repetition  r; 1 changes nothing
 */
public record SamplingDefaults(float temperature, int topK, float topP, float repetition) {
    /** A draw at temperature 1 over all tokens. */
    public static final SamplingDefaults OPEN = new SamplingDefaults(1f, 0, 1f, 1f);

    private static final String FILE = "generation_config.json";
    private static final long LONGEST = 1 << 20;

    /** Those of a checkpoint; {@link #OPEN} where it is no directory or recommends nothing. */
    public static SamplingDefaults of(Path checkpoint) throws IOException {
        Path file = checkpoint.resolve(FILE);
        if (!Files.isRegularFile(file) || Files.size(file) > LONGEST) {
            return OPEN;
        }
        try {
            return of(JsonText.read(Files.readAllBytes(file)));
        } catch (JsonTrouble e) {
            throw new IOException(file + " is no JSON: " + e.getMessage(), e);
        }
    }

    private static SamplingDefaults of(JsonNode config) {
        JsonNode sample = config.get("do_sample");
        boolean greedy = sample != null && sample.isBoolean() && !sample.booleanValue();
        return new SamplingDefaults(greedy ? 0f : (float) number(config, "temperature", 1, 0, 2),
                (int) number(config, "top_k", 0, 0, Integer.MAX_VALUE),
                (float) number(config, "top_p", 1, Float.MIN_NORMAL, 1),
                (float) number(config, "repetition_penalty", 1, 0.01, 100));
    }

    /** A number within bounds, or what is usual. */
    private static double number(JsonNode config, String name, double usual, double least, double most) {
        JsonNode v = config.get(name);
        return v != null && v.isNumber() && v.doubleValue() >= least && v.doubleValue() <= most ? v.doubleValue() : usual;
    }
}
