package poot.core.text.reply;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import poot.api.model.ModelConfig.ToolFormat;

/** Replies that no model should write: read in linear time and bounded memory, and nothing of them lost. */
class HostileReplyTest {
    private static final int LONG = 68_000;
    /** Generous, as machines are busy; what is not linear takes far longer. */
    private static final Duration SOON = Duration.ofMinutes(5);

    /** The most characters that were fed and have not come out, over the whole reply. */
    private static int mostHeld(ReplyFormat format, String text, StringBuilder out) {
        ReplyParser parser = format.open(Replies.options(""));
        int most = 0;
        for (int at = 0; at < text.length(); at += 997) {
            int to = Math.min(text.length(), at + 997);
            parser.feed(text.substring(at, to)).forEach(e -> out.append(shown(e)));
            most = Math.max(most, to - out.length());
        }
        parser.finish().forEach(e -> out.append(shown(e)));
        return most;
    }

    private static String shown(ReplyEvent event) {
        return switch (event) {
            case ReplyEvent.Text t -> t.delta();
            case ReplyEvent.Reasoning r -> r.delta();
            case ReplyEvent.CallArguments a -> a.delta();
            case ReplyEvent.CallStart _, ReplyEvent.CallEnd _ -> "";
        };
    }

    @Test
    void nothingIsHeldWithoutBound() {
        Map<ReplyFormat, List<String>> starts = new LinkedHashMap<>();
        starts.put(Replies.format(ToolFormat.HERMES), List.of("", "<tool_call>", "<tool_call>{\"", "<tool_call>{\"name\": \"",
                "<tool_call>{\"x\": \"", "<tool_call>{\"arguments\": {\"", "<tool_call>\n<function=", "<tool_call>now<arg_key>",
                "<tool_call>now<arg_key>n</arg_key><arg_value>", "<think>"));
        starts.put(Replies.format(ToolFormat.LLAMA3), List.of("", "{\"", "{\"parameters\": {\"", "<function=get", "<|python_tag|>"));
        starts.put(Replies.format(ToolFormat.MISTRAL), List.of("[TOOL_CALLS]get", "[TOOL_CALLS]get[CALL_ID]", "[TOOL_CALLS]["));
        starts.put(Replies.format(ToolFormat.DEEPSEEK), List.of("<｜tool▁call▁begin｜>function", "<｜tool▁call▁begin｜>now<｜tool▁sep｜>"));
        starts.put(Replies.format(ToolFormat.HARMONY), List.of("", "<|channel|>", "<|channel|>final<|message|>", "<|start|>assistant",
                "<|channel|>commentary to=functions.now<|message|>"));
        starts.put(Replies.withToken("<|tool_call_begin|>"), List.of("<|tool_call_begin|>functions.get:"));
        List<String> fills = List.of("a", " \n", "{\"[", "\\", "<tool_call>", "<|start|>");
        assertTimeoutPreemptively(SOON, () -> starts.forEach((format, list) -> {
            for (String start : list) {
                for (String fill : fills) {
                    StringBuilder out = new StringBuilder();
                    String text = start + fill.repeat(LONG / fill.length());
                    int held = mostHeld(format, text, out);
                    int marks = Math.max(0, text.length() - out.length()); // what is a mark, or white space beside one, never comes out
                    assertTrue(held <= Frame.LONGEST + 2_000 + marks, () -> "<" + start + "> then <" + fill + ">: holds " + held);
                }
            }
        }));
    }

    @Test
    void deepArgumentsEndAsBroken() {
        String deep = "{\"a\": ".repeat(100_000);
        String said = Replies.said(Replies.format(ToolFormat.HERMES), Replies.options(""),
                "<tool_call>{\"name\": \"get\", \"arguments\": " + deep + "</tool_call>after");
        assertEquals("C0(get)" + deep.strip() + "! T(after)", said);
    }

    @Test
    void manyCallsAreRead() {
        ReplyParser parser = Replies.format(ToolFormat.HERMES).open(Replies.options(""));
        List<ReplyEvent> last = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            last = parser.feed("<tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>\n");
        }
        assertEquals(20_000, parser.calls());
        assertEquals(new ReplyEvent.CallEnd(19_999, true), last.getLast());
    }

    @Test
    void manyToolsWithLongNamesAreOffered() {
        List<OfferedTool> tools = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            tools.add(new OfferedTool("n".repeat(200) + i, Map.of()));
        }
        ReplyOptions options = new ReplyOptions(tools, true, true, "");
        String call = "[TOOL_CALLS]" + "n".repeat(200) + "499[ARGS]{}";
        assertTimeoutPreemptively(SOON, () -> {
            assertEquals("C0(" + "n".repeat(200) + "499){}", Replies.said(Replies.format(ToolFormat.MISTRAL), options, call));
            String almost = ("[TOOL_CALLS]" + "n".repeat(200) + " x").repeat(200);
            assertEquals("T(" + almost + ")", Replies.said(Replies.format(ToolFormat.MISTRAL), options, almost));
        });
    }
}
