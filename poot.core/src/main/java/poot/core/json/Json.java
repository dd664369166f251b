package poot.core.json;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.api.model.CheckpointException;
import poot.core.json.JsonReader.Token;

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

    private final JsonReader in;
    private long valuesLeft;

    private Json(JsonReader in, long values) {
        this.in = in;
        this.valuesLeft = values;
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
                throw malformed(file, size + " bytes; at most " + limits.bytes() + " are read");
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
        JsonReader reader = new JsonReader(file, in, limits);
        reader.next();
        Object root = tree(reader);
        reader.next();
        return root;
    }

    /** The tree that the reader stands at the first token of; the reader moves to its last. */
    public static Object tree(JsonReader in) throws CheckpointException {
        return new Json(in, Long.MAX_VALUE).read();
    }

    /**
     * Streams the entries of a root object to a sink, holding one entry at a time.
     *
     * @param valuesPerEntry the most values that one entry's tree may have, itself included
     */
    public static void entries(Path file, InputStream in, JsonLimits limits, long valuesPerEntry, EntrySink sink)
            throws CheckpointException {
        JsonReader reader = new JsonReader(file, in, limits);
        if (reader.next() != Token.START_OBJECT) {
            throw notAnObject(file);
        }
        while (reader.next() != Token.END_OBJECT) {
            String name = reader.text();
            reader.next();
            sink.entry(name, new Json(reader, valuesPerEntry).read());
        }
        reader.next();
    }

    /** The tree as an object, or the error that the document is not one. */
    public static Map<String, Object> asObject(Path file, Object tree) throws CheckpointException {
        if (!(tree instanceof Map<?, ?> map)) {
            throw notAnObject(file);
        }
        Map<String, Object> out = new LinkedHashMap<>();
        map.forEach((k, v) -> out.put((String) k, v));
        return Collections.unmodifiableMap(out);
    }

    /** A tree as JSON text without line breaks; the inverse of reading. */
    public static String text(Object tree) {
        StringBuilder out = new StringBuilder();
        write(out, tree);
        return out.toString();
    }

    /** The value whose first token is current; recursion is bounded by the depth limit. */
    private Object read() throws CheckpointException {
        if (valuesLeft-- <= 0) {
            throw in.malformed("an entry with too many values");
        }
        return switch (in.current()) {
            case START_OBJECT -> object();
            case START_ARRAY -> array();
            case STRING -> in.text();
            case INTEGER -> in.integer();
            case REAL -> in.real();
            case TRUE -> Boolean.TRUE;
            case FALSE -> Boolean.FALSE;
            case NULL -> null;
            case END_OBJECT, END_ARRAY, NAME, END -> throw in.malformed("no value starts here");
        };
    }

    private Map<String, Object> object() throws CheckpointException {
        Map<String, Object> out = new LinkedHashMap<>(4);
        while (in.next() != Token.END_OBJECT) {
            String name = in.text();
            if (out.containsKey(name)) {
                throw in.malformed("name \"" + brief(name) + "\" given twice in one object");
            }
            in.next();
            out.put(name, read());
        }
        return out.isEmpty() ? Map.of() : Collections.unmodifiableMap(out);
    }

    private List<Object> array() throws CheckpointException {
        List<Object> out = new ArrayList<>(4);
        while (in.next() != Token.END_ARRAY) {
            out.add(read());
        }
        return out.isEmpty() ? List.of() : Collections.unmodifiableList(out);
    }

    private static void write(StringBuilder out, Object tree) {
        switch (tree) {
            case null -> out.append("null");
            case String s -> quote(out, s);
            case Long n -> out.append(n.longValue());
            case Integer n -> out.append(n.intValue());
            case Double x -> out.append(x.doubleValue());
            case Boolean b -> out.append(b.booleanValue());
            case List<?> list -> {
                out.append('[');
                for (int i = 0; i < list.size(); i++) {
                    out.append(i == 0 ? "" : ",");
                    write(out, list.get(i));
                }
                out.append(']');
            }
            case Map<?, ?> map -> {
                out.append('{');
                boolean first = true;
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    out.append(first ? "" : ",");
                    first = false;
                    quote(out, (String) entry.getKey());
                    out.append(':');
                    write(out, entry.getValue());
                }
                out.append('}');
            }
            default -> throw new IllegalArgumentException("not a JSON value: " + tree.getClass().getName());
        }
    }

    private static void quote(StringBuilder out, String s) {
        out.append('"');
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                case '\r' -> out.append("\\r");
                default -> {
                    if (c < ' ') {
                        out.append("\\u").append(Integer.toHexString(0x10000 | c), 1, 5);
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private static CheckpointException notAnObject(Path file) {
        return malformed(file, "the root is not an object");
    }

    private static CheckpointException malformed(Path file, String reason) {
        return new CheckpointException(new CheckpointException.Malformed(file, "document", reason));
    }

    private static String brief(String s) {
        return s.length() <= 160 ? s : s.substring(0, 157) + "...";
    }
}
