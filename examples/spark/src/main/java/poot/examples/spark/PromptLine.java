package poot.examples.spark;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import poot.api.model.CheckpointException;
import poot.core.engine.Piece;
import poot.core.json.Json;
import poot.core.json.JsonLimits;

/**
 * A line of the input. Its answer is a line of JSON: the fields of the input, in their order, then {@code answer},
 * {@code end}, {@code prompt_tokens} and {@code answer_tokens}; or {@code error}.
 *
 * @param fields what is handed through to the answer
 * @param prompt what to answer
 */
record PromptLine(Map<String, Object> fields, String prompt) {
    private static final JsonLimits LIMITS = new JsonLimits(4L << 20, 32, 100_000);
    private static final Path NAMED = Path.of("the line");

    /** A line that is a prompt. */
    static PromptLine plain(String line) {
        return new PromptLine(Map.of("prompt", line), line);
    }

    /**
     * A line that is a JSON object with a string {@code prompt}.
     *
     * @throws PromptLineException if it is not
     */
    static PromptLine json(String line) throws PromptLineException {
        try {
            byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
            if (bytes.length > LIMITS.bytes()) {
                throw new PromptLineException("a line of " + bytes.length + " bytes; at most " + LIMITS.bytes() + " are read");
            }
            Map<String, Object> fields = Json.asObject(NAMED, Json.value(NAMED, new ByteArrayInputStream(bytes), LIMITS));
            if (!(fields.get("prompt") instanceof String prompt)) {
                throw new PromptLineException("no string \"prompt\" in the line; a line is {\"prompt\": \"...\"}");
            }
            return new PromptLine(fields, prompt);
        } catch (CheckpointException e) {
            throw new PromptLineException(e.getMessage(), e);
        }
    }

    /** The line of an answer. */
    String answered(String text, Piece.Done done) {
        Map<String, Object> out = new LinkedHashMap<>(fields);
        out.put("answer", text);
        out.put("end", done.end().name());
        out.put("prompt_tokens", done.usage().prompt());
        out.put("answer_tokens", done.usage().generated());
        return Json.text(out);
    }

    /** The line of a prompt that has no answer. */
    String failed(String reason) {
        Map<String, Object> out = new LinkedHashMap<>(fields);
        out.put("error", reason);
        return Json.text(out);
    }

    /** The line of what is no prompt. */
    static String unread(String line, String reason) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("line", line);
        out.put("error", reason);
        return Json.text(out);
    }
}
