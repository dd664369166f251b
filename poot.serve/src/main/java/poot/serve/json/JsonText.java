package poot.serve.json;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes JSON (RFC 8259): one value, valid UTF-8, no name twice in an object, nothing behind it. What a
 * small body may claim is bounded: nesting 64, names 256 characters, numbers 64 digits, values a million.
 */
public final class JsonText {
    private static final int DEPTH = 64;
    private static final int NAME = 256;
    private static final int NUMBER = 64;
    private static final long TOKENS = 1_000_000;

    private static final JsonMapper STRICT = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEPTH).maxNameLength(NAME)
                            .maxNumberLength(NUMBER).maxStringLength(Integer.MAX_VALUE).maxTokenCount(TOKENS).build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    private JsonText() {}

    /**
     * The value that the bytes spell.
     *
     * @throws JsonTrouble if they are not UTF-8, not one JSON value, or claim more than is read
     */
    public static JsonNode read(byte[] bytes) throws JsonTrouble {
        String text = text(bytes);
        try {
            JsonNode node = STRICT.readTree(text);
            if (node.isMissingNode()) {
                throw new JsonTrouble("there is nothing in it", null);
            }
            return node;
        } catch (StreamConstraintsException e) {
            throw new JsonTrouble("it claims more than is read: " + firstLine(e.getOriginalMessage()), e);
        } catch (JacksonException e) {
            throw new JsonTrouble(firstLine(e.getOriginalMessage()) + at(e.getLocation()), e);
        }
    }

    private static String text(byte[] bytes) throws JsonTrouble {
        try {
            return StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT).decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new JsonTrouble("it is not valid UTF-8", e);
        }
    }

    private static String firstLine(String message) {
        String line = message.lines().findFirst().orElse("it cannot be read");
        return line.length() <= 200 ? line : line.substring(0, 200) + "…";
    }

    private static String at(TokenStreamLocation where) {
        return where == null || where.getLineNr() < 1 ? "" : " (line " + where.getLineNr() + ", column " + where.getColumnNr() + ")";
    }

    /** The tree of a string this program wrote itself. */
    public static JsonNode own(String text) {
        return STRICT.readTree(text);
    }

    /** An empty object. */
    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** An empty array. */
    public static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    /** The tree's text, on one line. */
    public static String write(JsonNode node) {
        return STRICT.writeValueAsString(node);
    }

    /** The tree's text, in UTF-8. */
    public static byte[] bytes(JsonNode node) {
        return STRICT.writeValueAsBytes(node);
    }
}
