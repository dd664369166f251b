package poot.core.text.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import poot.api.model.ChatException;
import poot.api.model.ChatException.BadMessage;

/** Conversations of the OpenAI schema are given to a template as it takes them. */
class ChatPromptsTest {
    private static final String PLAIN = """
            {%- for m in messages %}{{- '[' + m.role + ']' + (m.content or '-') }}
            {%- for c in m.tool_calls or [] %}{{- '(' + c.function.name + ' ' + (c.function.arguments | tojson) + ')' }}{%- endfor %}
            {%- if m.name %}{{- '{' + m.name + '}' }}{%- endif %}{%- endfor %}
            {%- if tools %}{{- tools | tojson }}{%- endif %}
            {%- if enable_thinking is defined %}{{- 'T' + enable_thinking | string + reasoning_effort }}{%- endif %}
            {%- if add_generation_prompt %}{{- '[assistant]' }}{%- endif %}""";

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static ChatRequest chat(Map<String, Object>... messages) {
        return new ChatRequest(Arrays.asList(messages), List.of(), true, Map.of());
    }

    private static Map<String, Object> message(Object... entries) {
        Map<String, Object> out = new HashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            out.put((String) entries[i], entries[i + 1]);
        }
        return out;
    }

    private static Map<String, Object> call(String id, String name, Object arguments) {
        return message("id", id, "type", "function", "function", message("name", name, "arguments", arguments));
    }

    private static String render(String template, ChatRequest request) throws ChatException {
        return ChatPrompts.of(TemplateCodec.of(template)).render(request);
    }

    private static void isBad(String path, ChatRequest request) {
        ChatException e = assertThrows(ChatException.class, () -> render(PLAIN, request));
        assertEquals(path, assertInstanceOf(BadMessage.class, e.fault(), e::getMessage).path());
    }

    @Test
    void contentIsOneText() throws Exception {
        assertEquals("[user]a\nb[assistant]-[user]c[assistant]", render(PLAIN, chat(
                message("role", "user", "content", List.of(message("type", "text", "text", "a"), message("type", "input_text", "text", "b"))),
                message("role", "assistant", "content", null), message("role", "user", "content", "c"))));
        assertEquals("[assistant]no[user]c[assistant]", render(PLAIN, chat(
                message("role", "assistant", "content", null, "refusal", "no"), message("role", "user", "content", "c"))));
    }

    @Test
    void aTemplateThatReadsPartsGetsThem() throws Exception {
        String parts = "{% for m in messages %}{{ '[' + m.role + ']' }}{% for p in m.content %}{{ p.text }}{% endfor %}{% endfor %}";
        ChatPrompts prompts = ChatPrompts.of(TemplateCodec.of(parts));
        assertTrue(prompts.traits().parts());
        assertEquals("[user]hello", prompts.render(chat(message("role", "user", "content", "hello"))));
    }

    @Test
    void callsAndResultsAreWrittenAsTheTemplateReadsThem() throws Exception {
        assertEquals("[user]q[assistant]-(f {\"a\": [1, \"x\"]})(g {})[tool]r{f}[assistant]", render(PLAIN, chat(
                message("role", "user", "content", "q"),
                message("role", "assistant", "content", null, "tool_calls",
                        List.of(call("i1", "f", "{\"a\": [1, \"x\"]}"), call("i2", "g", ""))),
                message("role", "tool", "tool_call_id", "i1", "content", "r"))));
        String text = PLAIN.replace("(c.function.arguments | tojson)", "c.function.arguments");
        assertEquals("[user]q[assistant]-(f {\"a\":1})[assistant]", render(text, chat(message("role", "user", "content", "q"),
                message("role", "assistant", "content", "", "tool_calls", List.of(call("i1", "f", message("a", 1)))))));
        assertEquals("[user]q[assistant]x[assistant]", render(PLAIN, chat(message("role", "user", "content", "q"),
                message("role", "assistant", "content", "x", "tool_calls", List.of()))));
    }

    @Test
    void aTemplateOfOneCallGetsOneAtATime() throws Exception {
        String single = PLAIN.replace("m.tool_calls or []", "(m.tool_calls or [])[:1]");
        assertEquals("[user]q[assistant]t(f {})[tool]1{f}[assistant]-(g {})[tool]2{g}[user]s[assistant]", render(single, chat(
                message("role", "user", "content", "q"),
                message("role", "assistant", "content", "t", "tool_calls", List.of(call("i1", "f", "{}"), call("i2", "g", "{}"))),
                message("role", "tool", "tool_call_id", "i2", "content", "2"),
                message("role", "tool", "tool_call_id", "i1", "content", "1"),
                message("role", "user", "content", "s"))));
    }

    @Test
    void rulesFindTheirPlace() throws Exception {
        Map<String, Object> system = message("role", "system", "content", "s");
        Map<String, Object> developer = message("role", "developer", "content", "d");
        Map<String, Object> user = message("role", "user", "content", "u");
        assertEquals("[system]d[user]u[assistant]", render(PLAIN, chat(developer, user)));
        assertEquals("[system]s\n\nd[user]u[assistant]", render(PLAIN, chat(system, developer, user)));
        String own = "{%- if messages[0].role == 'developer' %}{{- 'DEV:' }}{%- endif %}" + PLAIN;
        assertEquals("DEV:[developer]d[user]u[assistant]", render(own, chat(developer, user)));
        String none = "{%- if messages[0].role == 'system' %}{{- raise_exception('no system') }}{%- endif %}" + PLAIN;
        assertEquals("[user]s\n\nu[assistant]", render(none, chat(system, user)));
        assertEquals("[user]s[assistant]x[assistant]", render(none, chat(system, message("role", "assistant", "content", "x"))));
    }

    @Test
    void furtherVariablesReachTheTemplate() throws Exception {
        ChatRequest request = new ChatRequest(List.of(message("role", "user", "content", "u")), List.of(), true,
                Map.of("enable_thinking", false, "reasoning_effort", "low"));
        assertEquals("[user]uTFalselow[assistant]", render(PLAIN, request));
        isBad("chat_template_kwargs.messages", new ChatRequest(request.messages(), List.of(), true, Map.of("messages", List.of())));
    }

    @Test
    void reasoningOfEarlierTurnsIsHandedOn() throws Exception {
        String template = "{% for m in messages %}{{ m.content }}<{{ m.reasoning_content }}|{{ m.thinking }}|{{ m.reasoning }}>{% endfor %}";
        assertEquals("a<r|r|>", render(template, chat(message("role", "assistant", "content", "a", "reasoning", "r"))));
        assertEquals("a<r||>", render(template, chat(message("role", "assistant", "content", "a", "reasoning_content", "r",
                "tool_calls", List.of(call("i", "f", "{}"))))));
    }

    @Test
    void whatIsNotOfTheSchemaIsNamed() {
        isBad("messages", chat());
        isBad("messages[0].role", chat(message("content", "x")));
        isBad("messages[0].role", chat(message("role", "narrator", "content", "x")));
        isBad("messages[0].content", chat(message("role", "user", "content", 5)));
        isBad("messages[0].content[1].type", chat(message("role", "user", "content", List.of(
                message("type", "text", "text", "a"), message("type", "image_url", "image_url", Map.of())))));
        isBad("messages[0].content[0].text", chat(message("role", "user", "content", List.of(message("type", "text")))));
        isBad("messages[0].tool_calls", chat(message("role", "assistant", "tool_calls", "f")));
        isBad("messages[0].tool_calls[0].function.name", chat(message("role", "assistant", "tool_calls", List.of(Map.of()))));
        isBad("messages[0].tool_calls[0].function.arguments", chat(message("role", "assistant", "tool_calls",
                List.of(call("i", "f", "{\"a\":")))));
        isBad("messages[0].tool_calls[0].function.arguments", chat(message("role", "assistant", "tool_calls",
                List.of(call("i", "f", "[1]")))));
        isBad("messages[0].tool_calls[0].function.arguments", chat(message("role", "assistant", "tool_calls",
                List.of(call("i", "f", "[".repeat(100_000))))));
        isBad("messages[0].tool_call_id", chat(message("role", "tool", "content", "x", "tool_call_id", 4)));
        isBad("tools[0].function.name", new ChatRequest(List.of(message("role", "user", "content", "u")),
                List.of(Map.of("type", "function")), true, Map.of()));
    }

    @Test
    void aModelWithoutTemplateRefuses() {
        ChatPrompts prompts = ChatPrompts.of(new TemplateCodec(null));
        assertFalse(prompts.takesTools());
        ChatException e = assertThrows(ChatException.class, () -> prompts.render(chat(message("role", "user", "content", "u"))));
        assertInstanceOf(ChatException.NoTemplate.class, e.fault());
    }
}
