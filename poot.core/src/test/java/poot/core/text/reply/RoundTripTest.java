package poot.core.text.reply;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import poot.api.model.ModelConfig.ToolFormat;
import poot.core.json.Json;
import poot.core.json.JsonLimits;
import poot.core.text.chat.ChatPrompts;
import poot.core.text.chat.ChatRequest;
import poot.core.text.chat.TemplateCodec;

/** A call that a public template writes is read back as the same call, by the format found in that template. */
class RoundTripTest {
    /** What ends an assistant's turn and is no part of the reply: tokens that end it, and what templates write after. */
    private static final List<String> ENDS = List.of("<|im_end|>", "<|eot_id|>", "<|eom_id|>", "</s>", "<｜end▁of▁sentence｜>",
            "<|end|>", "<|start|>tool", "<|END_OF_TURN_TOKEN|>", "<|START_OF_TURN_TOKEN|>", "<|observation|>", "<sep>", "<turn|>",
            "<|tool_response>", "[{}]", "function result");
    /** Templates that never write a call: they ignore them, or refuse them as jinja2 does. */
    private static final Set<String> WRITE_NONE = Set.of("HuggingFaceTB-SmolLM3-3B", "LFM2.5-Instruct", "Kimi-K2-Instruct",
            "Kimi-K2-Thinking", "MiroThinker", "google-gemma-2-2b-it", "llama-cpp-rwkv-world");
    /** Templates whose spelling is not read. */
    private static final Set<String> NOT_READ = Set.of("google-gemma-4-31B-it", "google-gemma-4-31B-it-interleaved");
    private static final String FIRST = "{\"city\": \"Pa\\\"ris\\n{x} <b>\", \"n\": 3, \"deep\": {\"a\": [1, null, {\"b\": \"]}\"}]}}";
    private static final String SECOND = "{\"on\": true}";
    private static final String HARMONY = """
            {%- for m in messages %}{%- if m.role == 'assistant' and m.tool_calls %}
            {{- '<|start|>assistant to=functions.' + m.tool_calls[0].function.name + '<|channel|>commentary json<|message|>' }}
            {{- m.tool_calls[0].function.arguments | tojson + '<|call|>' }}
            {%- elif m.role == 'assistant' %}{{- '<|start|>assistant<|channel|>final<|message|>' + m.content + '<|end|>' }}
            {%- else %}{{- '<|start|>' + m.role + '<|message|>' + m.content + '<|end|>' }}{%- endif %}{%- endfor %}
            {%- if tools %}{{- tools | tojson }}{%- endif %}
            {%- if add_generation_prompt %}{{- '<|start|>assistant' }}{%- endif %}""";

    @Test
    void everyTemplatesCallIsReadBack() throws Exception {
        List<String> wrong = new ArrayList<>();
        Set<String> none = new TreeSet<>();
        Set<String> notRead = new TreeSet<>();
        int read = 0;
        for (var template : TemplateCodec.shared().entrySet()) {
            ChatPrompts prompts = ChatPrompts.of(template.getValue());
            ReplyFormat format = ReplyFormat.of(template.getValue(), ToolFormat.NONE);
            if (prompts.traits().calls().isEmpty()) {
                none.add(template.getKey());
            } else if (!format.readsCalls()) {
                notRead.add(template.getKey());
            } else {
                read++;
                difference(prompts, format).ifPresent(d -> wrong.add(template.getKey() + ": " + d));
            }
        }
        assertEquals(List.of(), wrong, read + " templates read");
        assertEquals(new TreeSet<>(WRITE_NONE), none);
        assertEquals(new TreeSet<>(NOT_READ), notRead);
        assertTrue(read >= 33, () -> "only " + none + notRead + " are excused");
    }

    @Test
    void aHarmonyTemplatesCallIsReadBack() throws Exception {
        TemplateCodec codec = TemplateCodec.of(HARMONY);
        ChatPrompts prompts = ChatPrompts.of(codec);
        assertTrue(!prompts.traits().calls().orElseThrow().several(), "it writes the first call only");
        assertEquals(Optional.empty(), difference(prompts, ReplyFormat.of(codec, ToolFormat.NONE)));
    }

    /** What is wrong with the calls read back, if anything. */
    private static Optional<String> difference(ChatPrompts prompts, ReplyFormat format) throws Exception {
        boolean both = prompts.traits().calls().orElseThrow().several();
        List<Map<String, Object>> calls = new ArrayList<>();
        calls.add(call("get_weather", "call_0000000000001", FIRST));
        if (both) {
            calls.add(call("now", "call_0000000000002", SECOND));
        }
        List<Map<String, Object>> offered = List.of(tool("get_weather"), tool("now"));
        List<Map<String, Object>> tools = prompts.takesTools() ? offered : List.of();
        Map<String, Object> user = Map.of("role", "user", "content", "Weather?");
        Map<String, Object> assistant = Map.of("role", "assistant", "content", "", "tool_calls", calls);
        Map<String, Object> result = Map.of("role", "tool", "content", "{}", "tool_call_id", "call_0000000000001");
        String asked = prompts.render(new ChatRequest(List.of(user), tools, true, Map.of()));
        String answered = prompts.render(new ChatRequest(List.of(user, assistant, result), tools, false, Map.of()));
        int common = 0;
        while (common < Math.min(asked.length(), answered.length()) && asked.charAt(common) == answered.charAt(common)) {
            common++;
        }
        int mark = answered.lastIndexOf('<', common - 1);
        if (mark >= 0 && answered.indexOf('>', mark) >= common) {
            common = mark;                   // a mark is in the prompt or in the reply, not half in each
        }
        String reply = answered.substring(common).replace("<|CHATBOT_TOKEN|>", "");
        int end = ENDS.stream().mapToInt(reply::indexOf).filter(i -> i >= 0).min().orElse(reply.length());
        String text = reply.substring(0, end);
        ReplyOptions options = new ReplyOptions(OfferedTool.of(offered), true, true, answered.substring(0, common));
        List<ReplyEvent> events = new ArrayList<>();
        ReplyParser parser = format.open(options);
        Replies.split(text, new Random(1)).forEach(p -> events.addAll(parser.feed(p)));
        events.addAll(parser.finish());
        String expected = "get_weather" + json(FIRST) + (both ? "now" + json(SECOND) : "");
        String got = written(events);
        return got.equals(expected) ? Optional.empty() : Optional.of("got <" + got + "> of <" + text + ">");
    }

    private static String written(List<ReplyEvent> events) throws Exception {
        StringBuilder out = new StringBuilder();
        StringBuilder arguments = new StringBuilder();
        for (ReplyEvent e : events) {
            switch (e) {
                case ReplyEvent.CallStart s -> out.append(s.name());
                case ReplyEvent.CallArguments a -> arguments.append(a.delta());
                case ReplyEvent.CallEnd end -> {
                    out.append(json(arguments.toString()));
                    arguments.setLength(0);
                }
                case ReplyEvent.Text t -> out.append(t.delta().isBlank() ? "" : "T(" + t.delta() + ")");
                case ReplyEvent.Reasoning r -> out.append("R(").append(r.delta()).append(')');
            }
        }
        return out.toString();
    }

    private static String json(String text) throws Exception {
        return Json.text(Json.value(Path.of("test"), new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                JsonLimits.CONFIG));
    }

    private static Map<String, Object> call(String name, String id, String arguments) {
        return Map.of("id", id, "type", "function", "function", Map.of("name", name, "arguments", arguments));
    }

    private static Map<String, Object> tool(String name) {
        Map<String, Object> properties = new LinkedHashMap<>(); // in a fixed order, as templates write them
        for (String key : List.of("city", "n", "deep", "on")) {
            String type = Map.of("city", "string", "n", "integer", "deep", "object", "on", "boolean").get(key);
            properties.put(key, Map.of("type", type, "description", "of " + key, "properties", Map.of(),
                    "additionalProperties", false));
        }
        return Map.of("type", "function", "function", Map.of("name", name, "description", "does",
                "parameters", Map.of("type", "object", "properties", properties, "required", List.of("city"))));
    }
}
