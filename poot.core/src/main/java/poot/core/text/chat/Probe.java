package poot.core.text.chat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import poot.api.model.ChatException;
import poot.api.model.TextCodec;

/** Small conversations of words that stand nowhere else, to see what a template makes of them. */
final class Probe {
    static final String USER = "zzaskzz";
    static final String SYSTEM = "zzrulezz";
    static final String FIRST = "zzfirstzz";
    static final String SECOND = "zzsecondzz";
    static final String KEY = "zzkeyzz";
    static final String VALUE = "zzvaluezz";
    private static final String REASON = "zzreasonzz";
    private static final String ANSWER = "zzanswerzz";

    private final TextCodec codec;

    Probe(TextCodec codec) {
        this.codec = codec;
    }

    static Map<String, Object> turn(String role, Object content) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("role", role);
        out.put("content", content);
        return out;
    }

    /** A call with one argument, whose value is {@code VALUE}. */
    static Map<String, Object> call(String name, String id, boolean text) {
        Object arguments = text ? "{\"" + KEY + "\": \"" + VALUE + "\"}" : Map.of(KEY, VALUE);
        Map<String, Object> function = new LinkedHashMap<>();
        function.put("name", name);
        function.put("arguments", arguments);
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("id", id);
        out.put("type", "function");
        out.put("function", function);
        return out;
    }

    static List<Map<String, Object>> tools() {
        List<Map<String, Object>> out = new ArrayList<>();
        for (String name : List.of(FIRST, SECOND)) {
            out.add(Map.of("type", "function", "function", Map.of("name", name, "description", "none", "parameters",
                    Map.of("type", "object", "properties", Map.of(KEY, Map.of("type", "string", "description", "none")),
                            "required", List.of(KEY)))));
        }
        return out;
    }

    static Object parts(String text) {
        return List.of(Map.of("type", "text", "text", text));
    }

    /** The text of a conversation; none where the template refuses it, which is what was asked. */
    Optional<String> render(List<Map<String, Object>> messages, boolean generate, Map<String, Object> more) {
        Map<String, Object> context = new HashMap<>(more);
        context.put("messages", messages);
        context.put("add_generation_prompt", generate);
        try {
            return Optional.of(codec.render(context));
        } catch (ChatException e) {
            return Optional.empty();         // a refusal is an answer
        }
    }

    boolean shows(String word, Object content, String role) {
        List<Map<String, Object>> messages = role.equals("user") ? List.of(turn(role, content))
                : List.of(turn(role, content), turn("user", USER));
        return render(messages, true, Map.of()).filter(t -> t.contains(word)).isPresent();
    }

    /** A turn with reasoning, in every spelling a template may read. */
    Optional<String> reasoned() {
        Map<String, Object> answer = turn("assistant", ANSWER);
        answer.put("reasoning_content", REASON);
        answer.put("thinking", REASON);
        return render(List.of(turn("user", USER), answer), false, Map.of());
    }
}
