package poot.core.text.reply;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import poot.api.model.CheckpointException;
import poot.core.json.Json;
import poot.core.json.JsonLimits;

/** The value of a parameter that is no string, as JSON text. */
final class TaggedValue {
    private static final JsonLimits LIMITS = new JsonLimits(4L * Frame.LONGEST, 64, Frame.LONGEST);

    private TaggedValue() {}

    /**
     * The value as written if it is JSON, or one of Python's constants; else as a JSON string.
     *
     * @param verbatim whether nothing is known of the types, so that only the text itself decides
     */
    static String json(String written, boolean verbatim) {
        String value = written.strip();
        switch (value) {
            case "True", "False" -> {
                return verbatim ? Json.text(written) : value.equals("True") ? "true" : "false";
            }
            case "None" -> {
                return verbatim ? Json.text(written) : "null";
            }
            default -> { }
        }
        return isJson(value) ? value : Json.text(written);
    }

    private static boolean isJson(String value) {
        try {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            Object read = Json.value(Path.of("arguments"), new ByteArrayInputStream(bytes), LIMITS);
            return !(read instanceof Double d) || Double.isFinite(d);
        } catch (CheckpointException e) {
            return false;                    // not JSON, which is the question
        }
    }
}
