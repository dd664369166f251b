package poot.core.text.reply;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import poot.api.model.ModelConfig.ToolFormat;

/** What holds for any text: how it is cut does not matter, and none of it is lost. */
class ReplyPropertyTest {
    private static final List<String> PIECES = List.of("<tool_call>", "</tool_call>", "<function=get>", "</function>", "<parameter=n>",
            "</parameter>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", "get", "now", "get_weather", "<think>", "</think>",
            "[TOOL_CALLS]", "[ARGS]", "[CALL_ID]", "<|python_tag|>", "<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "function", "<｜tool▁sep｜>",
            "<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>", "```json", "```", "<|start|>", "<|channel|>", "<|message|>", "<|end|>", "<|call|>",
            "<|constrain|>", "assistant", "analysis", "final", "commentary", " to=functions.now", "{\"name\": \"now\", \"arguments\": ",
            "{\"name\": \"get\", \"parameters\": {", "{\"arguments\": {", "{}", "}", "{", "[", "]", "\"", "\\", ":", ",", ";", " ", "\n",
            "{\"name\": \"now\", \"arguments\": {}}", "<tool_call>{\"name\": \"now\", \"arguments\": {", "<", "<|", "<tool", "é", "🙂");
    private static final List<String> TOKENS = List.of("<|tool_call_begin|>", "<|START_ACTION|>", "<tool_calls>", "<|tools_prefix|>",
            "<|tool_call|>", "<invoke name=\"", "<seed:tool_call>", "function call<|role_sep|>");

    private static Map<String, ReplyFormat> formats() {
        Map<String, ReplyFormat> out = new TreeMap<>();
        for (ToolFormat f : ToolFormat.values()) {
            out.put(f.name(), Replies.format(f));
        }
        TOKENS.forEach(t -> out.put(t, Replies.withToken(t)));
        return out;
    }

    @Test
    void howTextIsCutDoesNotMatter() {
        Random random = new Random(11);
        for (var format : formats().entrySet()) {
            for (int n = 0; n < 400; n++) {
                String text = soup(random, 1 + random.nextInt(30), false);
                ReplyOptions options = Replies.options(random.nextInt(4) == 0 ? "<think>\n" : "");
                String whole = Replies.said(format.getValue(), options, text);
                for (int i = 0; i < 3; i++) {
                    List<String> pieces = Replies.split(text, random);
                    assertEquals(whole, Replies.said(format.getValue(), options, pieces), () -> format.getKey() + ": " + pieces);
                }
            }
        }
    }

    /** Words that stand between marks and fragments of calls come out once each, in their order. */
    @Test
    void noWordIsLost() {
        Random random = new Random(13);
        for (var format : formats().entrySet()) {
            for (int n = 0; n < 400; n++) {
                String text = soup(random, 1 + random.nextInt(30), true);
                String said = Replies.said(format.getValue(), Replies.options(""), text);
                assertEquals(words(text), words(said), () -> format.getKey() + ": " + text + "\nsaid " + said);
            }
        }
    }

    /** Without marks a text passes as it is, and at once. */
    @Test
    void plainTextIsNotHeldBack() {
        for (var format : formats().entrySet()) {
            ReplyParser parser = format.getValue().open(Replies.options("<|start|>assistant<|channel|>final<|message|>"));
            String text = "Hello, a < b and \"quoted\" [1] (x) é🙂 end.";
            for (String piece : text.split("(?<= )")) {
                List<ReplyEvent> events = parser.feed(piece);
                assertTrue(!events.isEmpty() || piece.isBlank() || piece.strip().equals("<"), () -> format.getKey() + " holds back <" + piece + ">");
            }
        }
    }

    private static String soup(Random random, int pieces, boolean words) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < pieces; i++) {
            if (random.nextInt(3) == 0) {
                out.append(words ? "w" + i + "w" : String.valueOf((char) (' ' + random.nextInt(95))));
            } else {
                out.append(PIECES.get(random.nextInt(PIECES.size())));
            }
        }
        return out.toString();
    }

    private static List<String> words(String text) {
        List<String> out = new ArrayList<>();
        for (int i = 0; i < text.length(); i++) {
            int end = i + 1;
            while (end < text.length() && Character.isDigit(text.charAt(end))) {
                end++;
            }
            if (text.charAt(i) == 'w' && end > i + 1 && end < text.length() && text.charAt(end) == 'w') {
                out.add(text.substring(i, end + 1));
            }
        }
        return out;
    }
}
