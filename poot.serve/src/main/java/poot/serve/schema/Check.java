package poot.serve.schema;

import java.util.Map;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.json.JsonText;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Holds a tree against a shape, field by field: the first that does not conform is refused by its path. */
public final class Check {
    private static final int SHOWN = 60;

    private Check() {}

    /**
     * The body, if it conforms.
     *
     * @throws ApiException naming the field that does not
     */
    public static Body body(JsonNode tree, Shape shape) throws ApiException {
        if (!(tree instanceof ObjectNode object)) {
            throw new ApiException(new ApiFault.WrongType("", "an object", described(tree)));
        }
        object(object, shape, "");
        return new Body(object, "");
    }

    private static void object(ObjectNode object, Shape shape, String path) throws ApiException {
        for (Map.Entry<String, JsonNode> e : object.properties()) {
            Field field = shape.field(e.getKey()).orElse(null);
            if (field == null) {
                throw new ApiException(new ApiFault.UnknownField(join(path, shown(e.getKey())),
                        shape.fields().stream().filter(f -> !(f.stance() instanceof Stance.Refused)).map(Field::name).toList()));
            }
            field(field, e.getValue(), join(path, field.name()));
        }
        for (Field f : shape.fields()) {
            if (f.required() && !object.has(f.name())) {
                throw new ApiException(new ApiFault.MissingField(join(path, f.name())));
            }
        }
    }

    private static void field(Field field, JsonNode value, String path) throws ApiException {
        if (value.isNull() && !field.required()) {
            return;
        }
        switch (field.stance()) {
            case Stance.Refused r -> throw new ApiException(new ApiFault.Unsupported(path, r.why()));
            case Stance.OnlyWhen o -> {
                value(field.kind(), value, path);
                if (!o.values().contains(JsonText.write(value))) {
                    throw new ApiException(new ApiFault.Unsupported(path, o.why() + " (taken: " + String.join(", ", o.values()) + ")"));
                }
            }
            case Stance.Honoured _, Stance.NoEffect _ -> value(field.kind(), value, path);
        }
    }

    private static void value(Kind kind, JsonNode v, String path) throws ApiException {
        if (!matches(kind, v)) {
            throw new ApiException(new ApiFault.WrongType(path, kind.expected(), described(v)));
        }
        switch (kind) {
            case Kind.Text t -> text(t, v.stringValue(), path);
            case Kind.Whole w -> require(v.canConvertToLong() && v.longValue() >= w.least() && v.longValue() <= w.most(),
                    path, v, "from " + w.least() + " to " + w.most());
            case Kind.Number n -> require(finite(v) && v.doubleValue() >= n.least() && v.doubleValue() <= n.most(),
                    path, v, "from " + trim(n.least()) + " to " + trim(n.most()));
            case Kind.Flag _, Kind.Any _, Kind.AnyObject _ -> strings(v, path);
            case Kind.ListOf l -> list(l, v, path);
            case Kind.MapOf m -> {
                require(v.size() <= m.most(), path, v, "of at most " + m.most() + " entries");
                for (Map.Entry<String, JsonNode> e : v.properties()) {
                    value(m.value(), e.getValue(), join(path, shown(e.getKey())));
                }
            }
            case Kind.Object o -> object((ObjectNode) v, o.shape().get(), path);
            case Kind.Tagged t -> tagged(t, (ObjectNode) v, path);
            case Kind.Either e -> {
                for (Kind k : e.kinds()) {
                    if (matches(k, v)) {
                        value(k, v, path);
                        return;
                    }
                }
            }
        }
    }

    private static void text(Kind.Text t, String s, String path) throws ApiException {
        if (s.length() > t.longest()) {
            throw new ApiException(new ApiFault.NotAllowed(path, s.length() + " characters long", "at most " + t.longest()));
        }
        if (!t.values().isEmpty() && !t.values().contains(s)) {
            throw new ApiException(new ApiFault.NotAllowed(path, "\"" + shown(s) + "\"", "one of " + String.join(", ", t.values())));
        }
        wellFormed(s, path);
    }

    /** An escape may spell half a character, which is none. */
    private static void wellFormed(String s, String path) throws ApiException {
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            boolean pair = Character.isHighSurrogate(c) && i + 1 < s.length() && Character.isLowSurrogate(s.charAt(i + 1));
            if (Character.isSurrogate(c) && !pair) {
                throw new ApiException(new ApiFault.NotAllowed(path, "not well formed: half a character at " + i, "valid Unicode"));
            }
            i += pair ? 1 : 0;
        }
    }

    /** Whatever is handed on as it is has well-formed strings all the same; the reader has bounded its depth. */
    private static void strings(JsonNode v, String path) throws ApiException {
        if (v.isString()) {
            wellFormed(v.stringValue(), path);
        }
        for (Map.Entry<String, JsonNode> e : v.properties()) {
            wellFormed(e.getKey(), path);
        }
        for (JsonNode item : v) {
            strings(item, path);
        }
    }

    private static void list(Kind.ListOf l, JsonNode v, String path) throws ApiException {
        if (v.size() < l.least() || v.size() > l.most()) {
            throw new ApiException(new ApiFault.NotAllowed(path, v.size() + " items long", "from " + l.least() + " to " + l.most()));
        }
        int i = 0;
        for (JsonNode item : v) {
            value(l.item(), item, path + "[" + i++ + "]");
        }
    }

    private static void tagged(Kind.Tagged t, ObjectNode v, String path) throws ApiException {
        JsonNode tag = v.get(t.tag());
        if (tag == null && !t.usual().isEmpty()) {
            object(v, t.shapes().get(t.usual()), path);
            return;
        }
        if (tag == null) {
            throw new ApiException(new ApiFault.MissingField(join(path, t.tag())));
        }
        if (!tag.isString()) {
            throw new ApiException(new ApiFault.WrongType(join(path, t.tag()), "a string", described(tag)));
        }
        Shape shape = t.shapes().get(tag.stringValue());
        if (shape == null) {
            throw new ApiException(new ApiFault.NotAllowed(join(path, t.tag()), "\"" + shown(tag.stringValue()) + "\"",
                    "one of " + String.join(", ", t.shapes().keySet())));
        }
        object(v, shape, path);
    }

    private static boolean matches(Kind kind, JsonNode v) {
        return switch (kind) {
            case Kind.Text _ -> v.isString();
            case Kind.Whole _ -> v.isIntegralNumber();
            case Kind.Number _ -> v.isNumber();
            case Kind.Flag _ -> v.isBoolean();
            case Kind.ListOf l -> v.isArray() && (v.isEmpty() || !(l.item() instanceof Kind.Whole) || v.get(0).isIntegralNumber())
                    && (v.isEmpty() || !(l.item() instanceof Kind.Text) || v.get(0).isString());
            case Kind.MapOf _, Kind.Object _, Kind.Tagged _, Kind.AnyObject _ -> v.isObject();
            case Kind.Either e -> e.kinds().stream().anyMatch(k -> matches(k, v));
            case Kind.Any _ -> true;
        };
    }

    private static boolean finite(JsonNode v) {
        return Double.isFinite(v.doubleValue());
    }

    private static void require(boolean holds, String path, JsonNode v, String allowed) throws ApiException {
        if (!holds) {
            throw new ApiException(new ApiFault.NotAllowed(path, v.isContainer() ? v.size() + " entries long" : shown(v.asString()), allowed));
        }
    }

    private static String described(JsonNode v) {
        return switch (v.getNodeType()) {
            case ARRAY -> "an array";
            case OBJECT -> "an object";
            case BOOLEAN -> "true or false";
            case NULL -> "null";
            case NUMBER -> v.isIntegralNumber() ? "an integer" : "a number";
            case STRING -> "a string";
            case BINARY, MISSING, POJO -> "nothing";
        };
    }

    private static String trim(double d) {
        return d == Math.rint(d) && Math.abs(d) < 1e15 ? Long.toString((long) d) : Double.toString(d);
    }

    private static String shown(String s) {
        return s.length() <= SHOWN ? s : s.substring(0, SHOWN) + "…";
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
