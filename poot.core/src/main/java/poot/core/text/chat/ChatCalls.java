package poot.core.text.chat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import poot.api.model.ChatException;
import poot.api.model.CheckpointException;
import poot.core.json.Json;
import poot.core.json.JsonLimits;

/** The calls and results of one conversation, as its template takes them. */
final class ChatCalls {
    private static final JsonLimits LIMITS = new JsonLimits(4L << 20, 64, 500_000);
    private static final int SHORT = 9;
    private static final String RENAMED = "call";

    private final boolean text;
    private final boolean shortIds;
    private final Map<String, String> names = new HashMap<>();   // of tools, by their call's id
    private final Map<String, String> ids = new HashMap<>();     // those written for those given

    ChatCalls(ChatTraits traits) {
        this.text = traits.calls().map(ChatTraits.CallTraits::text).orElse(false);
        this.shortIds = traits.calls().map(ChatTraits.CallTraits::shortIds).orElse(false);
    }

    /** Every tool is a function with a name. */
    static void checkTools(List<Map<String, Object>> tools) throws ChatException {
        for (int i = 0; i < tools.size(); i++) {
            if (!(tools.get(i).get("function") instanceof Map<?, ?> function) || !(function.get("name") instanceof String)) {
                throw ChatMessages.bad("tools[" + i + "].function.name", "is missing or no string");
            }
        }
    }

    /** Rewrites the calls of an assistant's message; whether there are any. */
    boolean made(Map<String, Object> message, String path) throws ChatException {
        Object given = message.remove("tool_calls");
        if (given == null) {
            return false;
        }
        if (!(given instanceof List<?> list)) {
            throw ChatMessages.bad(path + ".tool_calls", "is no list");
        }
        List<Map<String, Object>> out = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            out.add(call(list.get(i), path + ".tool_calls[" + i + "]"));
        }
        if (!out.isEmpty()) {
            message.put("tool_calls", out);
        }
        return !out.isEmpty();
    }

    /** Rewrites a tool's message: it names the tool, and its call as the call is named. */
    void result(Map<String, Object> message, String path) throws ChatException {
        Object id = message.get("tool_call_id");
        if (id == null) {
            return;
        }
        if (!(id instanceof String given)) {
            throw ChatMessages.bad(path + ".tool_call_id", "is no string");
        }
        if (names.containsKey(given)) {
            message.putIfAbsent("name", names.get(given));
        }
        message.put("tool_call_id", id(given));
    }

    private Map<String, Object> call(Object value, String path) throws ChatException {
        if (!(value instanceof Map<?, ?> call) || !(call.get("function") instanceof Map<?, ?> function)
                || !(function.get("name") instanceof String name)) {
            throw ChatMessages.bad(path + ".function.name", "is missing or no string");
        }
        Map<String, Object> inner = copy(function);
        inner.put("arguments", arguments(function.get("arguments"), path + ".function.arguments"));
        Map<String, Object> out = copy(call);
        out.putIfAbsent("type", "function");
        out.put("function", inner);
        if (call.get("id") instanceof String id) {
            names.put(id, name);
            out.put("id", id(id));
        } else if (call.get("id") != null) {
            throw ChatMessages.bad(path + ".id", "is no string");
        }
        return out;
    }

    private Object arguments(Object given, String path) throws ChatException {
        return switch (given) {
            case null -> text ? "{}" : Map.of();
            case Map<?, ?> map -> text ? Json.text(map) : map;
            case String json -> {
                Map<String, Object> read = read(json, path);
                yield text ? json.isBlank() ? "{}" : json : read;
            }
            default -> throw ChatMessages.bad(path, "is neither JSON text nor an object");
        };
    }

    private static Map<String, Object> read(String json, String path) throws ChatException {
        if (json.isBlank()) {
            return Map.of();
        }
        Path name = Path.of("arguments");
        try {
            byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
            return Json.asObject(name, Json.value(name, new ByteArrayInputStream(bytes), LIMITS));
        } catch (CheckpointException e) {
            throw new ChatException(new ChatException.BadMessage(path, "is no JSON object: " + e.fault().message()), e);
        }
    }

    /** An id as the template takes it; ids keep being different. */
    private String id(String given) {
        if (!shortIds || isShort(given) && !given.startsWith(RENAMED)) {
            return given;
        }
        return ids.computeIfAbsent(given, g -> RENAMED + String.format("%05d", ids.size()));
    }

    private static boolean isShort(String id) {
        return id.length() == SHORT && id.chars().allMatch(c -> c < 128 && Character.isLetterOrDigit(c));
    }

    private static Map<String, Object> copy(Map<?, ?> map) {
        Map<String, Object> out = new LinkedHashMap<>();
        map.forEach((k, v) -> out.put(String.valueOf(k), v));
        return out;
    }

    /** Turns with several calls as one turn for each, its result after it, where a template takes but one. */
    static List<Map<String, Object>> oneByOne(List<Map<String, Object>> messages) {
        List<Map<String, Object>> out = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            Map<String, Object> message = messages.get(i);
            if (!(message.get("tool_calls") instanceof List<?> calls) || calls.size() < 2) {
                out.add(message);
                continue;
            }
            List<Map<String, Object>> results = new ArrayList<>();
            while (i + 1 < messages.size() && messages.get(i + 1).get("role").equals("tool")) {
                results.add(messages.get(++i));
            }
            for (int c = 0; c < calls.size(); c++) {
                Map<String, Object> one = new LinkedHashMap<>(message);
                one.put("tool_calls", List.of(calls.get(c)));
                if (c > 0) {
                    one.put("content", one.get("content") == null ? null : "");
                    one.remove("reasoning_content");
                    one.remove("thinking");
                }
                out.add(one);
                take(results, (Map<?, ?>) calls.get(c)).ifPresent(out::add);
            }
            out.addAll(results);
        }
        return out;
    }

    private static Optional<Map<String, Object>> take(List<Map<String, Object>> results, Map<?, ?> call) {
        Object id = call.get("id");
        for (Map<String, Object> r : results) {
            if (id == null || id.equals(r.get("tool_call_id"))) {
                results.remove(r);
                return Optional.of(r);
            }
        }
        return Optional.empty();
    }
}
