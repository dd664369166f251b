package poot.serve.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An object that conforms to its shape: fields are read by name, those absent or null are empty. */
public final class Body {
    private final ObjectNode object;
    private final String path;

    Body(ObjectNode object, String path) {
        this.object = object;
        this.path = path;
    }

    /** The value of a field. */
    public Optional<JsonNode> node(String field) {
        return Optional.ofNullable(object.get(field)).filter(v -> !v.isNull());
    }

    /** Whether a field is given, and not null. */
    public boolean has(String field) {
        return node(field).isPresent();
    }

    /** A string. */
    public Optional<String> text(String field) {
        return node(field).map(JsonNode::stringValue);
    }

    /** A whole number. */
    public OptionalLong whole(String field) {
        return node(field).map(v -> OptionalLong.of(v.longValue())).orElse(OptionalLong.empty());
    }

    /** A number. */
    public OptionalDouble number(String field) {
        return node(field).map(v -> OptionalDouble.of(v.doubleValue())).orElse(OptionalDouble.empty());
    }

    /** A flag; {@code otherwise} where it is absent. */
    public boolean flag(String field, boolean otherwise) {
        return node(field).map(JsonNode::booleanValue).orElse(otherwise);
    }

    /** An object. */
    public Optional<Body> object(String field) {
        return node(field).map(v -> new Body((ObjectNode) v, at(field)));
    }

    /** A list of objects; empty where it is absent. */
    public List<Body> objects(String field) {
        List<Body> out = new ArrayList<>();
        node(field).ifPresent(list -> {
            for (JsonNode item : list) {
                out.add(new Body((ObjectNode) item, at(field) + "[" + out.size() + "]"));
            }
        });
        return out;
    }

    /** A string, or a list of them, as a list; empty where it is absent. */
    public List<String> texts(String field) {
        List<String> out = new ArrayList<>();
        node(field).ifPresent(v -> {
            if (v.isString()) {
                out.add(v.stringValue());
            } else {
                v.forEach(s -> out.add(s.stringValue()));
            }
        });
        return out;
    }

    /** The path of a field, for messages. */
    public String at(String field) {
        return path.isEmpty() ? field : path + "." + field;
    }

    /** The object as maps, lists and plain values. */
    public Map<String, Object> plain() {
        return Plain.map(object);
    }
}
