package poot.examples.spark;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import poot.api.model.CheckpointException;
import poot.core.json.Json;
import poot.core.json.JsonLimits;

/** Prompts, and the lines that answer them. */
final class Lines {
    /** What the demo model was taught to answer, shortly and at length. */
    static final List<String> PROMPTS = List.of(
            "What is the capital of France?", "Hello!", "What is 2 plus 3?", "Count from 1 to 9.",
            "Tell me a story about a dog and a red ball.", "Who are you?", "Reverse the word cat.", "Repeat: blue house",
            "What color is the sky?", "What is 7 plus 8?", "Good morning", "Count from 3 to 12.",
            "Tell me a story about a cat.", "How many legs does a dog have?", "What is 9 minus 4?", "Say hello.",
            "What is the capital of Italy?", "What do bees make?", "Count from 10 to 15.", "Thank you!");

    /** A prompt that no row holds. */
    static final String TOO_LONG = "word ".repeat(700).strip();

    private Lines() {}

    static Map<String, Object> read(String line) {
        Path name = Path.of("an answered line");
        ByteArrayInputStream in = new ByteArrayInputStream(line.getBytes(StandardCharsets.UTF_8));
        try {
            return Json.asObject(name, Json.value(name, in, JsonLimits.CONFIG));
        } catch (CheckpointException e) {
            throw new AssertionError("not JSON: " + line, e);
        }
    }
}
