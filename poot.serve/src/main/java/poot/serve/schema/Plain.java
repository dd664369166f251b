package poot.serve.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Trees as maps, lists, strings, numbers and booleans, for those who know no JSON library; depth is the reader's bound. */
public final class Plain {
    private Plain() {}

    /** An object's fields, in order; a null stays one. */
    public static Map<String, Object> map(JsonNode object) {
        Map<String, Object> out = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> e : object.properties()) {
            out.put(e.getKey(), value(e.getValue()));
        }
        return out;
    }

    /** An array's items. */
    public static List<Object> list(JsonNode array) {
        List<Object> out = new ArrayList<>(array.size());
        for (JsonNode item : array) {
            out.add(value(item));
        }
        return out;
    }

    /** Any value. */
    public static Object value(JsonNode v) {
        return switch (v.getNodeType()) {
            case OBJECT -> map(v);
            case ARRAY -> list(v);
            case STRING -> v.stringValue();
            case BOOLEAN -> v.booleanValue();
            case NUMBER -> v.isIntegralNumber() && v.canConvertToLong() ? (Object) v.longValue() : (Object) v.doubleValue();
            case NULL, MISSING, BINARY, POJO -> null;
        };
    }
}
