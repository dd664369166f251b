package poot.core.text.chat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import poot.api.model.ChatException;
import poot.api.model.ChatException.BadMessage;

/** Messages of the OpenAI schema to those a template takes. One use each. */
final class ChatMessages {
    private static final Set<String> ROLES = Set.of("system", "developer", "user", "assistant", "tool");
    private static final Set<String> TEXT_PARTS = Set.of("text", "input_text", "output_text");

    private final ChatTraits traits;
    private final ChatCalls calls;

    ChatMessages(ChatTraits traits) {
        this.traits = traits;
        this.calls = new ChatCalls(traits);
    }

    List<Map<String, Object>> of(List<Map<String, Object>> messages) throws ChatException {
        if (messages.isEmpty()) {
            throw bad("messages", "is empty; give at least one message");
        }
        List<Map<String, Object>> out = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            out.add(message(messages.get(i), "messages[" + i + "]"));
        }
        out = system(out);
        if (!traits.calls().map(ChatTraits.CallTraits::several).orElse(true)) {
            out = ChatCalls.oneByOne(out);
        }
        return traits.parts() ? parts(out) : out;
    }

    private Map<String, Object> message(Map<String, Object> message, String path) throws ChatException {
        if (!(message.get("role") instanceof String role)) {
            throw bad(path + ".role", "is missing or no string; give one of " + ROLES.stream().sorted().toList());
        }
        if (!ROLES.contains(role)) {
            throw bad(path + ".role", "is \"" + role + "\"; give one of " + ROLES.stream().sorted().toList());
        }
        Map<String, Object> out = new LinkedHashMap<>(message);
        out.put("role", role.equals("developer") && !traits.developer() ? "system" : role);
        String content = text(message.get("content"), path + ".content");
        if (role.equals("assistant") && content.isEmpty() && message.get("refusal") instanceof String refusal) {
            content = refusal;
        }
        out.put("content", content);
        switch (role) {
            case "assistant" -> assistant(out, content, path);
            case "tool" -> calls.result(out, path);
            default -> { }
        }
        return out;
    }

    private void assistant(Map<String, Object> out, String content, String path) throws ChatException {
        boolean called = calls.made(out, path);
        Object reasoning = out.containsKey("reasoning_content") ? out.get("reasoning_content") : out.get("reasoning");
        out.remove("reasoning");
        out.remove("reasoning_content");
        if (reasoning instanceof String text && !text.isEmpty()) {
            out.put("reasoning_content", text);
            if (!called || content.isEmpty()) {
                out.put("thinking", text);   // one of the two beside calls, where this is the spelling
            }
        } else if (reasoning != null && !(reasoning instanceof String)) {
            throw bad(path + ".reasoning_content", "is no string");
        }
        if (called && content.isEmpty() && !traits.calls().map(ChatTraits.CallTraits::blank).orElse(true)) {
            out.put("content", null);
        }
    }

    /** Content as one text; parts are put on lines of their own. */
    private static String text(Object content, String path) throws ChatException {
        if (content == null) {
            return "";
        }
        if (content instanceof String text) {
            return text;
        }
        if (!(content instanceof List<?> parts)) {
            throw bad(path, "is neither text nor a list of parts");
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < parts.size(); i++) {
            String at = path + "[" + i + "]";
            if (!(parts.get(i) instanceof Map<?, ?> part) || !(part.get("type") instanceof String type)) {
                throw bad(at + ".type", "is missing or no string; give {\"type\": \"text\", \"text\": …}");
            }
            String key = type.equals("refusal") ? "refusal" : "text";
            if (!key.equals("refusal") && !TEXT_PARTS.contains(type)) {
                throw bad(at + ".type", "is \"" + type + "\"; this model reads text only");
            }
            if (!(part.get(key) instanceof String text)) {
                throw bad(at + "." + key, "is missing or no string");
            }
            out.append(i == 0 ? "" : "\n").append(text);
        }
        return out.toString();
    }

    /** Rules that come first are one message; where there is no role for them, they begin the first question. */
    private List<Map<String, Object>> system(List<Map<String, Object>> messages) {
        int rules = 0;
        StringBuilder text = new StringBuilder();
        while (rules < messages.size() && messages.get(rules).get("role").equals("system")) {
            text.append(rules == 0 ? "" : "\n\n").append(messages.get(rules++).get("content"));
        }
        if (rules == 0 || rules == 1 && traits.system()) {
            return messages;
        }
        List<Map<String, Object>> out = new ArrayList<>(messages.subList(rules, messages.size()));
        if (traits.system()) {
            Map<String, Object> first = new LinkedHashMap<>(messages.getFirst());
            first.put("content", text.toString());
            out.addFirst(first);
        } else if (!out.isEmpty() && out.getFirst().get("role").equals("user")) {
            Map<String, Object> first = new LinkedHashMap<>(out.getFirst());
            first.put("content", text + "\n\n" + first.get("content"));
            out.set(0, first);
        } else {
            out.addFirst(Probe.turn("user", text.toString()));
        }
        return out;
    }

    private static List<Map<String, Object>> parts(List<Map<String, Object>> messages) {
        List<Map<String, Object>> out = new ArrayList<>();
        for (Map<String, Object> message : messages) {
            Map<String, Object> m = new LinkedHashMap<>(message);
            if (m.get("content") instanceof String text) {
                m.put("content", Probe.parts(text));
            }
            out.add(m);
        }
        return out;
    }

    static ChatException bad(String path, String problem) {
        return new ChatException(new BadMessage(path, problem));
    }
}
