package poot.serve.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import poot.api.model.ModelConfig.ToolFormat;
import poot.core.engine.End;
import poot.core.engine.Piece;
import poot.core.engine.Usage;
import poot.core.text.reply.OfferedTool;
import poot.core.text.reply.ReplyFormat;
import poot.core.text.reply.ReplyOptions;
import tools.jackson.databind.JsonNode;

/** Calls and reasoning in a reply's text, as messages and as chunks. */
class ChatChoiceTest {
    private static final String REPLY = "<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Paris\"}}\n</tool_call>\n"
            + "<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Rome\"}}\n</tool_call>";
    private static final ReplyOptions OFFERED =
            new ReplyOptions(List.of(new OfferedTool("weather", Map.of())), true, true, "<|im_start|>assistant\n");

    private static ChatChoice choice(boolean oneCall) {
        return new ChatChoice(ReplyFormat.of(new TemplateText(), ToolFormat.HERMES).open(OFFERED), oneCall);
    }

    /** Every delta of a reply that comes in pieces of {@code size} characters and is stopped where it is satisfied. */
    private static List<Delta> deltas(ChatChoice choice, String reply, int size) {
        List<Delta> out = new ArrayList<>();
        for (int at = 0; at < reply.length() && !choice.satisfied(); at += size) {
            out.addAll(choice.text(new Piece.Text(reply.substring(at, Math.min(reply.length(), at + size)), List.of())));
        }
        End end = choice.satisfied() ? End.CANCELLED : End.STOP;
        out.addAll(choice.done(new Piece.Done(end, new Usage(5, 0, 9), Optional.empty(), OptionalInt.empty())));
        return out;
    }

    private static ChatMessage message(List<Delta> deltas) {
        ChatMessage m = new ChatMessage();
        deltas.forEach(m::add);
        return m;
    }

    @Test
    void callsAreToldFromText() {
        for (int size : new int[] {1, 3, 1000}) {
            ChatMessage m = message(deltas(choice(false), REPLY, size));
            assertEquals("tool_calls", m.finish().reason());
            JsonNode o = m.object();
            assertTrue(o.get("content").isNull(), o.toString());
            assertEquals(2, o.get("tool_calls").size());
            JsonNode first = o.get("tool_calls").get(0);
            assertEquals("function", first.get("type").stringValue());
            assertEquals("weather", first.get("function").get("name").stringValue());
            assertEquals("{\"city\": \"Paris\"}", first.get("function").get("arguments").stringValue());
            assertEquals(9, first.get("id").stringValue().length());
        }
    }

    @Test
    void oneCallIsOne() {
        ChatMessage m = message(deltas(choice(true), REPLY, 1));
        assertEquals(1, m.object().get("tool_calls").size());
        assertEquals("tool_calls", m.finish().reason());
        assertEquals(1, message(deltas(choice(true), REPLY, 1000)).object().get("tool_calls").size());
    }

    @Test
    void chunksAddUpToTheMessage() {
        ChatWriter writer = new ChatWriter("m", null, false);
        StringBuilder arguments = new StringBuilder();
        List<String> ids = new ArrayList<>();
        String finish = "";
        for (Delta d : deltas(choice(true), REPLY, 4)) {
            JsonNode choice = writer.chunk(0, d, List.of()).get("choices").get(0);
            if (choice.get("delta").has("tool_calls")) {
                JsonNode call = choice.get("delta").get("tool_calls").get(0);
                assertEquals(0, call.get("index").intValue());
                arguments.append(call.get("function").get("arguments").stringValue());
                if (call.has("id")) {
                    ids.add(call.get("id").stringValue());
                }
            }
            finish = choice.get("finish_reason").isNull() ? finish : choice.get("finish_reason").stringValue();
        }
        assertEquals("{\"city\": \"Paris\"}", arguments.toString());
        assertEquals(1, ids.size());
        assertEquals("tool_calls", finish);
    }

    @Test
    void aToolNobodyOfferedIsText() {
        String reply = REPLY.replace("weather", "launch");
        ChatMessage m = message(deltas(choice(false), reply, 5));
        assertEquals(reply, m.content());
        assertEquals("stop", m.finish().reason());
    }

    @Test
    void responsesHaveItems() throws Exception {
        List<String> events = new ArrayList<>();
        ResponseOutput output = new ResponseOutput(new Answer.Sink() {
            @Override
            public void event(String name, tools.jackson.databind.node.ObjectNode data) {
                events.add(name);
            }

            @Override
            public void done() {}

            @Override
            public void beat() {}
        });
        for (Delta d : deltas(choice(false), "Let me see. " + REPLY, 6)) {
            output.add(d);
        }
        List<String> types = new ArrayList<>();
        output.items().forEach(i -> types.add(i.get("type").stringValue() + " " + i.get("status").stringValue()));
        assertEquals(List.of("message completed", "function_call completed", "function_call completed"), types);
        assertEquals("{\"city\": \"Rome\"}", output.items().get(2).get("arguments").stringValue());
        assertEquals(3, events.stream().filter("response.output_item.done"::equals).count());
        assertEquals(2, events.stream().filter("response.function_call_arguments.done"::equals).count());
    }
}
