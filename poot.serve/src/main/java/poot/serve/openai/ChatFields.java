package poot.serve.openai;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.serve.schema.Field;
import poot.serve.schema.Kind;
import poot.serve.schema.Shape;

/** What {@code POST /v1/chat/completions} may say. */
public final class ChatFields {
    private static final int MESSAGES = 4096;
    private static final int PARTS = 256;
    private static final int TOOLS = 256;
    private static final String TEXT_ONLY = "the model reads text alone";

    private static final Shape TEXT_PART = Shape.of("TextPart",
            Field.required("type", Kind.oneOf("text"), "text"),
            Field.required("text", Kind.text(), "the text"));

    private static final Kind CONTENT = Kind.either(Kind.text(),
            Kind.list(new Kind.Tagged("type", Map.of("text", TEXT_PART)), 0, PARTS));

    private static final Shape CALLED_FUNCTION = Shape.of("CalledFunction",
            Field.required("name", Kind.name(256), "the function's name"),
            Field.required("arguments", Kind.text(), "its arguments, as JSON text"));

    private static final Shape CALL = Shape.of("ToolCall",
            Field.required("id", Kind.name(256), "what the tool's message refers to"),
            Field.optional("type", Kind.oneOf("function"), "function"),
            Field.noEffect("index", Kind.whole(0, TOOLS), "calls are in order"),
            Field.required("function", Kind.object(CALLED_FUNCTION), "what was called"));

    private static final Shape FUNCTION = Shape.of("Function",
            Field.required("name", Kind.name(256), "how the model calls it"),
            Field.optional("description", Kind.text(), "what it does, for the model"),
            Field.optional("parameters", new Kind.AnyObject(), "a JSON schema of its arguments, for the model"),
            Field.onlyWhen("strict", Kind.flag(), List.of("false"), "arguments are not held to the schema"));

    /** A tool that is offered. */
    static final Shape TOOL = Shape.of("Tool",
            Field.required("type", Kind.oneOf("function"), "function"),
            Field.required("function", Kind.object(FUNCTION), "what is offered"));

    /** The whole request. */
    public static final Shape REQUEST = request();

    private ChatFields() {}

    private static Shape message(String role, Field... fields) {
        List<Field> all = new ArrayList<>();
        all.add(Field.required("role", Kind.oneOf(role), role));
        all.addAll(List.of(fields));
        return Shape.of(Character.toUpperCase(role.charAt(0)) + role.substring(1) + "Message", all);
    }

    private static Field name() {
        return Field.optional("name", Kind.name(256), "of the participant, for templates that show it");
    }

    private static Map<String, Shape> messages() {
        Map<String, Shape> out = new LinkedHashMap<>();
        Field content = Field.required("content", CONTENT, "what is said");
        out.put("system", message("system", content, name()));
        out.put("developer", message("developer", content, name()));
        out.put("user", message("user", content, name()));
        out.put("assistant", message("assistant", Field.optional("content", CONTENT, "what was said"), name(),
                Field.optional("reasoning_content", Kind.text(), "extension: what was thought, for templates that show it"),
                Field.optional("reasoning", Kind.text(), "extension: the same, as others spell it"),
                Field.optional("tool_calls", Kind.list(Kind.object(CALL), 0, TOOLS), "what was called"),
                Field.onlyWhen("refusal", Kind.text(), List.of(), "no template shows a refusal"),
                Field.refused("audio", TEXT_ONLY),
                Field.refused("function_call", "an older spelling; send tool_calls"),
                Field.onlyWhen("annotations", Kind.list(new Kind.Any(), 0, 0), List.of("[]"), "no template shows annotations")));
        out.put("tool", message("tool", content, Field.required("tool_call_id", Kind.name(256), "the call that is answered"), name()));
        return out;
    }

    private static Shape request() {
        List<Field> all = new ArrayList<>();
        all.add(SamplingFields.model());
        all.add(Field.required("messages", Kind.list(new Kind.Tagged("role", messages()), 1, MESSAGES), "the conversation"));
        all.add(Field.optional("max_completion_tokens", Kind.whole(1, Integer.MAX_VALUE), "tokens of each choice at most, reasoning included"));
        all.add(Field.optional("max_tokens", Kind.whole(1, Integer.MAX_VALUE), "the older spelling; the smaller counts where both are given"));
        all.addAll(SamplingFields.choosing());
        all.add(Field.optional("logprobs", Kind.flag(), "report the logprob of each token"));
        all.add(Field.optional("top_logprobs", Kind.whole(0, SamplingFields.TOP_LOGPROBS), "likeliest tokens to report; needs logprobs"));
        all.add(Field.optional("tools", Kind.list(Kind.object(TOOL), 0, TOOLS), "functions the model may call"));
        all.add(Field.onlyWhen("tool_choice", new Kind.Any(), List.of("\"auto\"", "\"none\""),
                "a call cannot be forced: the model chooses"));
        all.add(Field.optional("parallel_tool_calls", Kind.flag(), "false: the answer ends after the first call"));
        all.add(Field.onlyWhen("response_format", new Kind.AnyObject(), List.of("{\"type\":\"text\"}"), "JSON cannot be enforced"));
        all.add(Field.optional("reasoning_effort", Kind.oneOf("none", "minimal", "low", "medium", "high", "xhigh"),
                "handed to the chat template, which may read it"));
        all.add(Field.optional("chat_template_kwargs", new Kind.AnyObject(), "extension: variables for the chat template"));
        all.addAll(SamplingFields.passive());
        all.add(Field.onlyWhen("modalities", Kind.list(Kind.text(), 0, 2), List.of("[\"text\"]"), TEXT_ONLY));
        all.add(Field.onlyWhen("verbosity", Kind.text(), List.of("\"medium\""), "the model knows no verbosity"));
        all.add(Field.refused("audio", TEXT_ONLY));
        all.add(Field.refused("prediction", "predicted output is not used"));
        all.add(Field.refused("web_search_options", "there is no web search"));
        all.add(Field.refused("functions", "an older spelling; send tools"));
        all.add(Field.refused("function_call", "an older spelling; send tool_choice"));
        all.add(Field.refused("moderation", "there is no moderation"));
        return Shape.of("ChatCompletionRequest", all);
    }
}
