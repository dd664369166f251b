package poot.core.text.reply;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import poot.api.model.ModelConfig.ToolFormat;
import poot.core.text.chat.ChatTraits;
import poot.core.text.chat.TemplateCodec;

/** Reads replies in tests and writes down what they say. */
final class Replies {
    static final Map<String, Object> SCHEMA = Map.of("type", "object", "properties", Map.of(
            "city", Map.of("type", "string"), "n", Map.of("type", "integer"), "deep", Map.of("type", "object"),
            "on", Map.of("type", "boolean")));
    static final List<OfferedTool> TOOLS = List.of(new OfferedTool("get", SCHEMA), new OfferedTool("get_weather", SCHEMA),
            new OfferedTool("now", Map.of()));

    private Replies() {}

    /** A format by declaration alone, with every kind of reasoning. */
    static ReplyFormat format(ToolFormat declared) {
        return ReplyFormat.of(ChatTraits.of(new TemplateCodec(null)), declared, t -> false);
    }

    /** A format by its marks. */
    static ReplyFormat withToken(String mark) {
        return ReplyFormat.of(ChatTraits.of(new TemplateCodec(null)), ToolFormat.NONE, mark::equals);
    }

    static ReplyOptions options(String prompt) {
        return new ReplyOptions(TOOLS, true, true, prompt);
    }

    /** What a reply says: {@code T(text) R(reasoning) C0(name,id){arguments}}, with {@code !} where a call is cut off. */
    static String said(ReplyFormat format, ReplyOptions options, List<String> pieces) {
        Said said = new Said();
        ReplyParser parser = format.open(options);
        pieces.forEach(p -> parser.feed(p).forEach(said));
        parser.finish().forEach(said);
        return said.end();
    }

    static String said(ReplyFormat format, ReplyOptions options, String text) {
        return said(format, options, List.of(text));
    }

    static List<String> split(String text, Random random) {
        List<String> out = new ArrayList<>();
        int most = 1 + random.nextInt(12);
        for (int at = 0; at < text.length();) {
            int to = Math.min(text.length(), at + 1 + random.nextInt(most));
            out.add(text.substring(at, to));
            at = to;
        }
        return out;
    }

    /** Puts deltas together and checks the order of events. */
    static final class Said implements Consumer<ReplyEvent> {
        private final StringBuilder out = new StringBuilder();
        private char open;
        private int calls;
        private boolean inCall;

        @Override
        public void accept(ReplyEvent event) {
            switch (event) {
                case ReplyEvent.Text t -> add('T', t.delta());
                case ReplyEvent.Reasoning r -> add('R', r.delta());
                case ReplyEvent.CallStart s -> {
                    close();
                    check(!inCall && s.index() == calls, event);
                    inCall = true;
                    out.append('C').append(s.index()).append('(').append(s.name())
                            .append(s.id().map(i -> "," + i).orElse("")).append(')');
                }
                case ReplyEvent.CallArguments a -> {
                    check(inCall && a.index() == calls && !a.delta().isEmpty(), event);
                    out.append(a.delta());
                }
                case ReplyEvent.CallEnd e -> {
                    check(inCall && e.index() == calls++, event);
                    inCall = false;
                    out.append(e.whole() ? " " : "! ");
                }
            }
        }

        private void add(char kind, String delta) {
            check(!inCall && !delta.isEmpty(), delta);
            if (open != kind) {
                close();
                out.append(kind).append('(');
                open = kind;
            }
            out.append(delta);
        }

        private void close() {
            if (open != 0) {
                out.append(") ");
                open = 0;
            }
        }

        String end() {
            close();
            check(!inCall, "the last call ends");
            return out.toString().stripTrailing();
        }

        private static void check(boolean holds, Object at) {
            if (!holds) {
                throw new AssertionError("out of order: " + at);
            }
        }
    }
}
