package poot.core.text.reply;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A function the model may call.
 *
 * @param name       what a call names
 * @param parameters JSON schema of its arguments; empty where there is none
 */
public record OfferedTool(String name, Map<String, Object> parameters) {
    public OfferedTool {
        Objects.requireNonNull(name);
        Objects.requireNonNull(parameters);
    }

    /** The functions among tools as the OpenAI schema writes them: {@code {"type": "function", "function": {…}}}. */
    public static List<OfferedTool> of(List<? extends Map<String, ?>> tools) {
        List<OfferedTool> out = new ArrayList<>();
        for (Map<String, ?> tool : tools) {
            Map<?, ?> function = tool.get("function") instanceof Map<?, ?> m ? m : tool;
            if (function.get("name") instanceof String name) {
                out.add(new OfferedTool(name, object(function.get("parameters"))));
            }
        }
        return List.copyOf(out);
    }

    /** The type a parameter's schema states; empty where it states none, or several. */
    String type(String parameter) {
        return object(object(parameters.get("properties")).get(parameter)).get("type") instanceof String type ? type : "";
    }

    private static Map<String, Object> object(Object value) {
        Map<String, Object> out = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((k, v) -> out.put(String.valueOf(k), v));
        }
        return out;
    }
}
