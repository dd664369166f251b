package poot.core.text.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import poot.api.model.ChatException;
import poot.core.json.Json;
import poot.core.json.JsonLimits;
import poot.core.text.chat.ChatTraits.CallTraits;

/**
 * Conversations as clients send them, arguments as JSON text, become the golden texts, which were rendered from
 * conversations as templates want them.
 */
class PublicTemplatesTest {
    /** Cases whose golden text comes of a conversation that its template takes wrongly, and poot puts right. */
    private static final Set<String> BETTER = Set.of(
            "deepseek-ai-DeepSeek-R1-Distill-Llama-8B toolcall"); // content is null beside calls, or they are not written

    private static final List<String> PARTS = List.of("'type': 'text'", "\"type\": \"text\"");

    @Test
    @SuppressWarnings("unchecked")
    void clientsConversationsBecomeTheGoldenTexts() throws Exception {
        Map<String, TemplateCodec> templates = TemplateCodec.shared();
        Map<String, Object> expected = json("expected.json");
        List<String> differing = new ArrayList<>();
        int same = 0;
        for (var template : templates.entrySet()) {
            ChatPrompts prompts = ChatPrompts.of(template.getValue());
            for (var one : json("cases.json").entrySet()) {
                String name = template.getKey() + " " + one.getKey();
                Map<String, Object> golden = (Map<String, Object>) ((Map<String, Object>) expected.get(template.getKey() + ".jinja")).get(one.getKey());
                if (!(golden.get("text") instanceof String text) || text.contains("2025")
                        || PARTS.stream().anyMatch(text::contains)) {
                    continue;                // refused, or dated, or a list where the template meant a text
                }
                String got;
                try {
                    got = prompts.render(request((Map<String, Object>) one.getValue()));
                } catch (ChatException e) {
                    got = e.getMessage();
                }
                if (got.equals(text) == BETTER.contains(name)) {
                    differing.add(name + (got.equals(text) ? " is the same" : ":\n" + got + "\ninstead of\n" + text));
                }
                same += got.equals(text) ? 1 : 0;
            }
        }
        assertTrue(differing.isEmpty(), same + " are the same; not " + String.join("\n", differing));
        assertTrue(same > 270, same + " are the same");
    }

    @SuppressWarnings("unchecked")
    private static ChatRequest request(Map<String, Object> context) {
        List<Map<String, Object>> messages = new ArrayList<>();
        for (Map<String, Object> m : (List<Map<String, Object>>) context.get("messages")) {
            Map<String, Object> copy = new HashMap<>(m);
            if (m.get("tool_calls") instanceof List<?> calls) {
                copy.put("content", null);
                copy.put("tool_calls", calls.stream().map(c -> asText((Map<String, Object>) c)).toList());
            } else if (m.get("role").equals("tool")) {
                copy.remove("name");
            }
            messages.add(copy);
        }
        Map<String, Object> rest = new HashMap<>(context);
        List.of("messages", "tools", "add_generation_prompt", "bos_token", "eos_token").forEach(rest::remove);
        return new ChatRequest(messages, (List<Map<String, Object>>) context.getOrDefault("tools", List.of()),
                (Boolean) context.get("add_generation_prompt"), rest);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> asText(Map<String, Object> call) {
        Map<String, Object> function = new HashMap<>((Map<String, Object>) call.get("function"));
        function.put("arguments", Json.text(function.get("arguments")));
        Map<String, Object> out = new HashMap<>(call);
        out.put("function", function);
        return out;
    }

    private static Map<String, Object> json(String name) throws IOException, poot.api.model.CheckpointException {
        Path file = Path.of(System.getProperty("poot.shared", "../shared")).resolve("templates").resolve(name);
        assertTrue(Files.exists(file), name);
        return Json.tree(file, JsonLimits.CONFIG);
    }

    @Test
    void traitsAreThoseOfTheTemplates() throws Exception {
        Map<String, TemplateCodec> templates = TemplateCodec.shared();
        assertEquals(new CallTraits(true, false, false, true), calls(templates, "deepseek-ai-DeepSeek-R1-Distill-Llama-8B"));
        assertEquals(new CallTraits(false, true, false, true), calls(templates, "deepseek-ai-DeepSeek-V3.1"));
        assertEquals(new CallTraits(false, true, true, true), calls(templates, "mistralai-Mistral-Nemo-Instruct-2407"));
        assertEquals(new CallTraits(false, true, false, false), calls(templates, "meta-llama-Llama-3.1-8B-Instruct"));
        assertEquals(new CallTraits(false, true, false, true), calls(templates, "Qwen-Qwen3-0.6B"));
        assertTrue(!ChatTraits.of(templates.get("google-gemma-2-2b-it")).system());
        assertTrue(ChatTraits.of(templates.get("deepseek-ai-DeepSeek-V4")).developer());
        assertTrue(!ChatTraits.of(templates.get("Qwen-Qwen3-0.6B")).developer());
    }

    private static CallTraits calls(Map<String, TemplateCodec> templates, String name) {
        return ChatTraits.of(templates.get(name)).calls().orElseThrow();
    }

    @Test
    void conversationsThatTemplatesRefuseAreMadeAcceptable() throws Exception {
        Map<String, TemplateCodec> templates = TemplateCodec.shared();
        List<Map<String, Object>> calls = List.of(
                Map.of("id", "call_1234567890", "type", "function", "function", Map.of("name", "f", "arguments", "{\"a\": 1}")),
                Map.of("id", "call_1234567891", "type", "function", "function", Map.of("name", "g", "arguments", "{}")));
        List<Map<String, Object>> messages = List.of(Map.of("role", "user", "content", "q"),
                Map.of("role", "assistant", "content", "", "tool_calls", calls),
                Map.of("role", "tool", "tool_call_id", "call_1234567890", "content", "one"),
                Map.of("role", "tool", "tool_call_id", "call_1234567891", "content", "two"));
        ChatRequest request = new ChatRequest(messages, List.of(), true, Map.of());
        String nemo = ChatPrompts.of(templates.get("mistralai-Mistral-Nemo-Instruct-2407")).render(request);
        assertTrue(nemo.contains("\"id\": \"call00000\"}") && nemo.contains("\"call_id\": \"call00001\""), nemo);
        String llama = ChatPrompts.of(templates.get("meta-llama-Llama-3.2-3B-Instruct")).render(request);
        assertTrue(llama.indexOf("one") < llama.indexOf("{\"name\": \"g\"") && llama.indexOf("{\"name\": \"g\"") < llama.indexOf("two"), llama);
        String gemma = ChatPrompts.of(templates.get("google-gemma-2-2b-it")).render(new ChatRequest(List.of(
                Map.of("role", "system", "content", "s"), Map.of("role", "user", "content", "q")), List.of(), true, Map.of()));
        assertEquals("<s><start_of_turn>user\ns\n\nq<end_of_turn>\n<start_of_turn>model\n", gemma);
    }
}
