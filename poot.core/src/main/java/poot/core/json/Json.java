package poot.core.json;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.api.model.CheckpointException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Reads JSON documents (RFC 8259, strict UTF-8) into trees of plain values.
 *
 * <p>Two rules beyond the RFC: a name that an object repeats is refused, and the numbers {@code NaN},
 * {@code Infinity} and {@code -Infinity}, which model configurations contain, are read as {@code Double}. An integer
 * outside 64 bits is a {@code Double}. Trees are unmodifiable and keep the document's order.
 */
public final class Json {
    /** Receives the entries of a root object, in order; a repeated name arrives twice. */
    @FunctionalInterface
    public interface EntrySink {
        /** One entry: its name and its tree. */
        void entry(String name, Object value) throws CheckpointException;
    }

    private final Path file;
    private final JsonParser parser;
    private long valuesLeft = Long.MAX_VALUE;

    private Json(Path file, JsonParser parser) {
        this.file = file;
        this.parser = parser;
    }

    /** The tree of a document whose root is an object. */
    public static Map<String, Object> tree(Path file, JsonLimits limits) throws CheckpointException {
        return asObject(file, value(file, limits));
    }

    /** The tree of a document with any root. */
    public static Object value(Path file, JsonLimits limits) throws CheckpointException {
        try {
            if (!Files.exists(file)) {
                throw new CheckpointException(new CheckpointException.Absent(file, "the checkpoint needs it"));
            }
            if (!Files.isRegularFile(file)) {
                throw new CheckpointException(new CheckpointException.Unreadable(file, "not a regular file"));
            }
            long size = Files.size(file);
            if (size > limits.bytes()) {
                throw malformed(file, "document", size + " bytes; at most " + limits.bytes() + " are read", null);
            }
            try (InputStream in = Files.newInputStream(file)) {
                return value(file, in, limits);
            }
        } catch (NoSuchFileException e) {
            throw new CheckpointException(new CheckpointException.Absent(file, "the checkpoint needs it"), e);
        } catch (IOException e) {
            throw new CheckpointException(new CheckpointException.Unreadable(file, String.valueOf(e.getMessage())), e);
        }
    }

    /** The tree of the document in a stream; {@code file} is named in errors. */
    public static Object value(Path file, InputStream in, JsonLimits limits) throws CheckpointException {
        try (JsonParser parser = parser(in, limits)) {
            Json json = new Json(file, parser);
            if (parser.nextToken() == null) {
                throw malformed(file, "document", "empty", null);
            }
            Object root = json.read();
            json.end();
            return root;
        } catch (JacksonException e) {
            throw syntax(file, e);
        }
    }

    /**
     * Streams the entries of a root object to a sink, holding one entry at a time.
     *
     * @param valuesPerEntry the most values that one entry's tree may have, itself included
     */
    public static void entries(Path file, InputStream in, JsonLimits limits, long valuesPerEntry, EntrySink sink)
            throws CheckpointException {
        try (JsonParser parser = parser(in, limits)) {
            Json json = new Json(file, parser);
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw malformed(file, "document", "the root is not an object", null);
            }
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = json.name();
                json.valuesLeft = valuesPerEntry;
                sink.entry(name, json.read());
            }
            json.end();
        } catch (JacksonException e) {
            throw syntax(file, e);
        }
    }

    /** The tree as an object, or the error that the document is not one. */
    public static Map<String, Object> asObject(Path file, Object tree) throws CheckpointException {
        if (!(tree instanceof Map<?, ?> map)) {
            throw malformed(file, "document", "the root is not an object", null);
        }
        Map<String, Object> out = new LinkedHashMap<>();
        map.forEach((k, v) -> out.put((String) k, v));
        return Collections.unmodifiableMap(out);
    }

    /** A tree as JSON text without line breaks; the inverse of reading. */
    public static String text(Object tree) {
        StringWriter out = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
            write(generator, tree);
        }
        return out.toString();
    }

    private static final JsonFactory FACTORY = JsonFactory.builder().build();

    private static JsonParser parser(InputStream in, JsonLimits limits) {
        StreamReadConstraints constraints = StreamReadConstraints.builder()
                .maxDocumentLength(limits.bytes())
                .maxNestingDepth(limits.depth())
                .maxTokenCount(limits.tokens())
                .maxStringLength((int) Math.min(limits.bytes(), 64L << 20))
                .maxNameLength(1 << 16)
                .maxNumberLength(512)
                .build();
        JsonFactory factory = JsonFactory.builder()
                .streamReadConstraints(constraints)
                .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
                .build();
        var strict = StandardCharsets.UTF_8.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        return factory.createParser(ObjectReadContext.empty(), new InputStreamReader(in, strict));
    }

    /** The value whose first token is current; recursion is bounded by the depth limit. */
    private Object read() throws CheckpointException {
        if (valuesLeft-- <= 0) {
            throw malformed(file, "document", "an entry with too many values", null);
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> object();
            case START_ARRAY -> array();
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT -> integer();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            case VALUE_NULL -> null;
            case END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
                throw malformed(file, "document", "unexpected " + parser.currentToken(), null);
        };
    }

    private Object integer() {
        return switch (parser.getNumberType()) {
            case INT, LONG -> parser.getLongValue();
            case BIG_INTEGER, FLOAT, DOUBLE, BIG_DECIMAL -> Double.parseDouble(parser.getString());
        };
    }

    private Map<String, Object> object() throws CheckpointException {
        Map<String, Object> out = new LinkedHashMap<>(4);
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = name();
            if (out.containsKey(name)) {
                throw malformed(file, "name \"" + brief(name) + "\"", "given twice in one object", null);
            }
            out.put(name, read());
        }
        return out.isEmpty() ? Map.of() : Collections.unmodifiableMap(out);
    }

    private List<Object> array() throws CheckpointException {
        List<Object> out = new ArrayList<>(4);
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            out.add(read());
        }
        return out.isEmpty() ? List.of() : Collections.unmodifiableList(out);
    }

    /** The name of the current entry; the parser moves to its value. */
    private String name() throws CheckpointException {
        String name = parser.currentName();
        if (name == null || parser.nextToken() == null) {
            throw malformed(file, "document", "ends inside an object", null);
        }
        return name;
    }

    private void end() throws CheckpointException {
        if (parser.nextToken() != null) {
            throw malformed(file, "document", "text after the end of the root value", null);
        }
    }

    private static void write(JsonGenerator out, Object tree) {
        switch (tree) {
            case null -> out.writeNull();
            case String s -> out.writeString(s);
            case Long n -> out.writeNumber(n);
            case Integer n -> out.writeNumber(n);
            case Double x -> out.writeNumber(x);
            case Boolean b -> out.writeBoolean(b);
            case List<?> list -> {
                out.writeStartArray();
                list.forEach(v -> write(out, v));
                out.writeEndArray();
            }
            case Map<?, ?> map -> {
                out.writeStartObject();
                map.forEach((k, v) -> {
                    out.writeName((String) k);
                    write(out, v);
                });
                out.writeEndObject();
            }
            default -> throw new IllegalArgumentException("not a JSON value: " + tree.getClass().getName());
        }
    }

    private static CheckpointException syntax(Path file, JacksonException e) {
        if (e.getCause() instanceof CharacterCodingException) {
            return malformed(file, "document", "not valid UTF-8", e);
        }
        var at = e.getLocation();
        String where = at == null || at.getLineNr() < 1 ? "document" : "line " + at.getLineNr() + ", column " + at.getColumnNr();
        return malformed(file, where, "not valid JSON: " + reason(e), e);
    }

    /** The parser's message without what it says about its own settings. */
    private static String reason(JacksonException e) {
        String message = String.valueOf(e.getOriginalMessage());
        int source = message.indexOf(" (start marker at");
        return brief(source < 0 ? message : message.substring(0, source));
    }

    private static CheckpointException malformed(Path file, String where, String reason, Throwable cause) {
        return new CheckpointException(new CheckpointException.Malformed(file, where, reason), cause);
    }

    private static String brief(String s) {
        return s.length() <= 160 ? s : s.substring(0, 157) + "...";
    }
}
