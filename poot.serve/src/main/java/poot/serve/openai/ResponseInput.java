package poot.serve.openai;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.serve.schema.Body;
import tools.jackson.databind.JsonNode;

/** Instructions and items of a response's request as the messages and tools of a chat. */
final class ResponseInput {
    private final List<Map<String, Object>> messages = new ArrayList<>();
    private final StringBuilder thought = new StringBuilder();

    private ResponseInput() {}

    /** The messages. */
    static List<Map<String, Object>> messages(Body body) {
        ResponseInput in = new ResponseInput();
        body.text("instructions").ifPresent(i -> in.say("system", i));
        JsonNode input = body.node("input").orElseThrow();
        if (input.isString()) {
            in.say("user", input.stringValue());
        } else {
            body.objects("input").forEach(in::item);
        }
        return in.messages;
    }

    private void item(Body item) {
        switch (item.text("type").orElse("message")) {
            case "function_call" -> call(item);
            case "function_call_output" -> {
                Map<String, Object> answer = message("tool", text(item, "output"));
                answer.put("tool_call_id", item.text("call_id").orElseThrow());
                messages.add(answer);
            }
            case "reasoning" -> item.objects("content").forEach(c -> thought.append(c.text("text").orElseThrow()));
            default -> say(item.text("role").orElseThrow(), text(item, "content"));
        }
    }

    private void say(String role, String text) {
        messages.add(role.equals("assistant") ? assistant(text) : message(role, text));
    }

    /** Calls that follow one another, or a text, are one turn's. */
    private void call(Body item) {
        if (messages.isEmpty() || !messages.getLast().get("role").equals("assistant")) {
            messages.add(assistant(null));
        }
        Map<String, Object> function = new LinkedHashMap<>();
        function.put("name", item.text("name").orElseThrow());
        function.put("arguments", item.text("arguments").orElseThrow());
        Map<String, Object> call = new LinkedHashMap<>();
        call.put("id", item.text("call_id").orElseThrow());
        call.put("type", "function");
        call.put("function", function);
        List<Object> calls = new ArrayList<>();
        if (messages.getLast().get("tool_calls") instanceof List<?> before) {
            calls.addAll(before);
        }
        calls.add(call);
        messages.getLast().put("tool_calls", calls);
    }

    private Map<String, Object> assistant(String text) {
        Map<String, Object> out = message("assistant", text);
        if (!thought.isEmpty()) {
            out.put("reasoning_content", thought.toString());
            thought.setLength(0);
        }
        return out;
    }

    private static Map<String, Object> message(String role, String text) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("role", role);
        out.put("content", text);
        return out;
    }

    private static String text(Body item, String field) {
        JsonNode content = item.node(field).orElseThrow();
        if (content.isString()) {
            return content.stringValue();
        }
        StringBuilder out = new StringBuilder();
        content.forEach(p -> out.append(p.get("text").stringValue()));
        return out.toString();
    }

    /** The functions, as a chat offers them. */
    static List<Map<String, Object>> tools(Body body) {
        List<Map<String, Object>> out = new ArrayList<>();
        for (Body tool : body.objects("tools")) {
            Map<String, Object> function = new LinkedHashMap<>(tool.plain());
            function.remove("type");
            function.remove("strict");
            Map<String, Object> offered = new LinkedHashMap<>();
            offered.put("type", "function");
            offered.put("function", function);
            out.add(offered);
        }
        return out;
    }
}
