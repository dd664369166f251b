package poot.serve.openai;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.serve.schema.Field;
import poot.serve.schema.Kind;
import poot.serve.schema.Shape;

/** What {@code POST /v1/responses} may say. */
public final class ResponseFields {
    private static final int ITEMS = 4096;
    private static final int PARTS = 256;
    private static final int TOOLS = 256;
    private static final String NOTHING_KEPT = "nothing is stored; send the whole conversation";

    private static final Field ID = Field.noEffect("id", Kind.name(256), "items are not stored");
    private static final Field STATUS = Field.noEffect("status", Kind.name(64), "items are taken as they are");

    private static final Kind PARTS_OF_TEXT = Kind.list(new Kind.Tagged("type", parts()), 0, PARTS);

    /** The whole request. */
    public static final Shape REQUEST = request();

    private ResponseFields() {}

    private static Map<String, Shape> parts() {
        Map<String, Shape> out = new LinkedHashMap<>();
        out.put("input_text", Shape.of("InputText", Field.required("type", Kind.oneOf("input_text"), "input_text"),
                Field.required("text", Kind.text(), "the text")));
        out.put("output_text", Shape.of("OutputText", Field.required("type", Kind.oneOf("output_text"), "output_text"),
                Field.required("text", Kind.text(), "the text"),
                Field.noEffect("annotations", Kind.list(new Kind.Any(), 0, PARTS), "no template shows annotations"),
                Field.noEffect("logprobs", Kind.list(new Kind.Any(), 0, 1 << 20), "no template shows logprobs")));
        return out;
    }

    private static Map<String, Shape> items() {
        Map<String, Shape> out = new LinkedHashMap<>();
        Kind content = Kind.either(Kind.text(), PARTS_OF_TEXT);
        out.put("message", Shape.of("ResponseMessage", Field.optional("type", Kind.oneOf("message"), "message"), ID, STATUS,
                Field.required("role", Kind.oneOf("user", "assistant", "system", "developer"), "who says it"),
                Field.required("content", content, "what is said"),
                Field.noEffect("phase", Kind.name(64), "no template shows phases")));
        out.put("function_call", Shape.of("ResponseFunctionCall", Field.required("type", Kind.oneOf("function_call"), "function_call"), ID, STATUS,
                Field.required("call_id", Kind.name(256), "what the output refers to"),
                Field.required("name", Kind.name(256), "the function's name"),
                Field.required("arguments", Kind.text(), "its arguments, as JSON text")));
        out.put("function_call_output", Shape.of("ResponseFunctionCallOutput",
                Field.required("type", Kind.oneOf("function_call_output"), "function_call_output"), ID, STATUS,
                Field.required("call_id", Kind.name(256), "the call that is answered"),
                Field.required("output", content, "what the function gave")));
        Shape thought = Shape.of("ReasoningText", Field.required("type", Kind.oneOf("reasoning_text"), "reasoning_text"),
                Field.required("text", Kind.text(), "the text"));
        out.put("reasoning", Shape.of("ResponseReasoning", Field.required("type", Kind.oneOf("reasoning"), "reasoning"), ID, STATUS,
                Field.optional("content", Kind.list(Kind.object(thought), 0, PARTS), "what was thought, for templates that show it"),
                Field.noEffect("summary", Kind.list(new Kind.Any(), 0, PARTS), "the thought itself is read"),
                Field.refused("encrypted_content", "no reasoning is encrypted here")));
        return out;
    }

    private static Shape tool() {
        return Shape.of("ResponseTool", Field.required("type", Kind.oneOf("function"), "function"),
                Field.required("name", Kind.name(256), "how the model calls it"),
                Field.optional("description", Kind.text(), "what it does, for the model"),
                Field.optional("parameters", new Kind.AnyObject(), "a JSON schema of its arguments, for the model"),
                Field.onlyWhen("strict", Kind.flag(), List.of("false"), "arguments are not held to the schema"));
    }

    private static Shape request() {
        Shape text = Shape.of("ResponseText", Field.onlyWhen("format", new Kind.AnyObject(), List.of("{\"type\":\"text\"}"), "JSON cannot be enforced"),
                Field.onlyWhen("verbosity", Kind.text(), List.of("\"medium\""), "the model knows no verbosity"));
        Shape reasoning = Shape.of("ResponseReasoningOptions",
                Field.optional("effort", Kind.oneOf("none", "minimal", "low", "medium", "high", "xhigh"), "handed to the chat template"),
                Field.onlyWhen("summary", Kind.text(), List.of("\"auto\""), "reasoning is given whole"),
                Field.onlyWhen("generate_summary", Kind.text(), List.of("\"auto\""), "reasoning is given whole"));
        Shape streaming = Shape.of("ResponseStreamOptions", Field.noEffect("include_obfuscation", Kind.flag(), "events are never padded"));
        List<Field> all = new ArrayList<>(List.of(
                SamplingFields.model(),
                Field.required("input", Kind.either(Kind.text(), Kind.list(new Kind.Tagged("type", items(), "message"), 1, ITEMS)),
                        "a text, or the conversation's items"),
                Field.optional("instructions", Kind.text(), "the system message"),
                Field.optional("max_output_tokens", Kind.whole(1, Integer.MAX_VALUE), "tokens of the answer at most, reasoning included"),
                SamplingFields.temperature(), SamplingFields.topP(),
                Field.optional("tools", Kind.list(Kind.object(tool()), 0, TOOLS), "functions the model may call"),
                Field.onlyWhen("tool_choice", new Kind.Any(), List.of("\"auto\"", "\"none\""), "a call cannot be forced: the model chooses"),
                Field.optional("parallel_tool_calls", Kind.flag(), "false: the answer ends after the first call"),
                Field.optional("text", Kind.object(text), "how text is answered"),
                Field.optional("reasoning", Kind.object(reasoning), "how much is thought"),
                SamplingFields.stream(),
                Field.optional("stream_options", Kind.object(streaming), "only with stream")));
        all.addAll(SamplingFields.passive());
        all.add(Field.onlyWhen("include", Kind.list(Kind.text(), 0, PARTS), List.of("[]"), "there is nothing more to include"));
        all.add(Field.onlyWhen("background", Kind.flag(), List.of("false"), NOTHING_KEPT));
        all.add(Field.onlyWhen("truncation", Kind.text(), List.of("\"disabled\""), "a conversation is never cut"));
        all.add(Field.onlyWhen("top_logprobs", Kind.whole(0, 20), List.of("0"), "take /v1/chat/completions"));
        all.add(Field.refused("previous_response_id", NOTHING_KEPT));
        all.add(Field.refused("conversation", NOTHING_KEPT));
        all.add(Field.refused("prompt", "no prompts are stored"));
        all.add(Field.refused("max_tool_calls", "no tool is called by the server"));
        all.add(Field.refused("context_management", "a conversation is never cut"));
        return Shape.of("ResponseRequest", all);
    }
}
