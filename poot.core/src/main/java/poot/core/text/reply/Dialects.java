package poot.core.text.reply;

import static poot.core.text.reply.Dialect.mark;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import poot.api.model.ModelConfig.ToolFormat;
import poot.core.text.reply.Dialect.Mark;
import poot.core.text.reply.Dialect.Named;
import poot.core.text.reply.Dialect.Objects;
import poot.core.text.reply.Dialect.Tagged;

/** The dialects models are known to call tools in, as their chat templates write them. */
final class Dialects {
    private static final Tail NOTHING = Tail.of("");

    /** {@code <tool_call>{json}</tool_call>}; between the same marks, parameters as tags, or as keys and values. */
    private static final Dialect HERMES = Dialect.of(List.of(mark("<tool_call>",
            new Objects("</tool_call>", false, ""),
            new Tagged("<function=", ">", "<parameter=", ">", "", "", "</parameter>", true, "</function>", "</tool_call>"),
            new Tagged("", "", "<arg_key>", "</arg_key>", "", "<arg_value>", "</arg_value>", false,
                    "</tool_call>", "</tool_call>"))), List.of());

    /** A JSON object as the whole reply or after a mark, or {@code <function=NAME>{json}</function>}. */
    private static final Dialect LLAMA3 = Dialect.of(List.of(
            new Mark("{", true, List.of(new Objects("", false, ";,"))),
            mark("<|python_tag|>", new Objects("", false, ";,")),
            mark("<function=", new Named(List.of(""), List.of(Tail.of(">")), "</function>", "", false))), List.of());

    /** {@code [TOOL_CALLS]} and a list of objects, or {@code NAME[CALL_ID]ID[ARGS]{json}}. */
    private static final Dialect MISTRAL = Dialect.of(List.of(mark("[TOOL_CALLS]",
            new Objects("", false, ""),
            new Named(List.of(""), List.of(Tail.of("[ARGS]"), Tail.around("[CALL_ID]", "[ARGS]"), NOTHING), "", "", false))),
            List.of(), "[ARGS]", "[CALL_ID]");

    /** {@code TYPE SEP NAME}, a fenced block and an end mark; since V3.1 {@code NAME SEP {json}}; since V3.2 tags. */
    private static final Dialect DEEPSEEK = Dialect.of(List.of(
            mark("<｜tool▁call▁begin｜>", new Named(List.of("function<｜tool▁sep｜>", ""),
                    List.of(Tail.of("<｜tool▁sep｜>"), Tail.of("```json"), Tail.of("<｜tool▁sep｜>```json"), NOTHING),
                    "<｜tool▁call▁end｜>", "`", false)),
            mark("<｜DSML｜invoke name=\"", new Tagged("", "\">", "<｜DSML｜parameter name=\"", "\">", "\" string=\"", "",
                    "</｜DSML｜parameter>", false, "</｜DSML｜invoke>", ""))),
            List.of("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>", "<｜DSML｜function_calls>", "</｜DSML｜function_calls>",
                    "<｜DSML｜tool_calls>", "</｜DSML｜tool_calls>"), "<｜tool▁sep｜>", "｜DSML｜");

    /** {@code functions.NAME:NUMBER}, which is the call's id, and JSON, between marks. */
    private static final Dialect KIMI = Dialect.of(List.of(mark("<|tool_call_begin|>",
            new Named(List.of("functions.", ""), List.of(Tail.around(":", "<|tool_call_argument_begin|>"),
                    Tail.of("<|tool_call_argument_begin|>")), "<|tool_call_end|>", "", true))),
            List.of("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"), "<|tool_call_argument_begin|>");

    /** A list of objects with {@code tool_name} and {@code parameters}. */
    private static final Dialect COMMAND = Dialect.of(List.of(
            mark("<|START_ACTION|>", new Objects("<|END_ACTION|>", false, "")),
            mark("Action:\n```json", new Objects("```", false, ""))),
            List.of("<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|START_TEXT|>", "<|END_TEXT|>"));

    /** {@code <tool_calls>} and a list of objects. */
    private static final Dialect APRIEL = Dialect.of(List.of(
            mark("<tool_calls>", new Objects("</tool_calls>", false, ""))), List.of());

    /** A list of objects {@code {NAME: {…}}}. */
    private static final Dialect APERTUS = Dialect.of(List.of(
            mark("<|tools_prefix|>", new Objects("<|tools_suffix|>", true, ""))), List.of());

    /** A message of the role {@code function call}. */
    private static final Dialect GIGACHAT = Dialect.of(List.of(
            mark("function call<|role_sep|>", new Objects("", false, ""))), List.of("<|message_sep|>"), "<|role_sep|>");

    /** {@code <|tool_call|>} and a list of objects. */
    private static final Dialect GRANITE = Dialect.of(List.of(
            mark("<|tool_call|>", new Objects("", false, ""))), List.of("<|/tool_call|>"));

    /** Parameters as tags within an invocation, itself between marks. */
    private static final Dialect MINIMAX = Dialect.of(List.of(
            mark("<invoke name=\"", new Tagged("", "\">", "<parameter name=\"", "\">", "", "", "</parameter>", false,
                    "</invoke>", ""))), List.of("<minimax:tool_call>", "</minimax:tool_call>"));

    /** Parameters as tags. */
    private static final Dialect SEED = Dialect.of(List.of(mark("<seed:tool_call>",
            new Tagged("<function=", ">", "<parameter=", ">", "", "", "</parameter>", true, "</function>",
                    "</seed:tool_call>"))), List.of());

    private static final List<Dialect> ALL = List.of(HERMES, MISTRAL, DEEPSEEK, KIMI, COMMAND, APRIEL, APERTUS, GIGACHAT,
            GRANITE, MINIMAX, SEED, LLAMA3);

    private Dialects() {}

    /** The dialect of a declared format; none for {@code NONE}, and for {@code HARMONY}, which has messages instead. */
    static Optional<Dialect> of(ToolFormat format) {
        return switch (format) {
            case NONE, HARMONY -> Optional.empty();
            case HERMES -> Optional.of(HERMES);
            case LLAMA3 -> Optional.of(LLAMA3);
            case MISTRAL -> Optional.of(MISTRAL);
            case DEEPSEEK -> Optional.of(DEEPSEEK);
        };
    }

    /** The dialect a rendered text shows. */
    static Optional<Dialect> in(String rendered) {
        return ALL.stream().filter(d -> d.signs().stream().anyMatch(rendered::contains)).findFirst();
    }

    /** The dialect whose marks are tokens. */
    static Optional<Dialect> with(Predicate<String> isToken) {
        return ALL.stream().filter(d -> d.signs().stream().anyMatch(isToken)).findFirst();
    }

    /** The dialect of a call that a template wrote as a bare object. */
    static Dialect bare() {
        return LLAMA3;
    }
}
