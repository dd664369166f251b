package poot.serve.openai;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.core.text.chat.ChatRequest;
import poot.core.text.reply.OfferedTool;
import poot.core.text.reply.ReplyOptions;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.json.JsonText;
import poot.serve.schema.Body;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** {@code POST /v1/responses}: text in; text, reasoning and function calls out. Nothing is stored. */
public final class ResponseCalls implements Call {
    private final Served served;
    private final Duration beat;

    /**
     * Answers with items.
     *
     * @param beat how long a stream may be silent before the client is looked for
     */
    public ResponseCalls(Served served, Duration beat) {
        this.served = served;
        this.beat = beat;
    }

    @Override
    public Answer answer(Body body, Client client) throws ApiException, InterruptedException {
        served.requireModel(body);
        served.requireGeneration();
        boolean stream = body.flag("stream", false);
        if (body.has("stream_options") && !stream) {
            throw new ApiException(new ApiFault.NotAllowed("stream_options", "given", "left out unless stream is true"));
        }
        List<Map<String, Object>> tools = ChatCalls.offered(served, body, ResponseInput.tools(body));
        Map<String, Object> arguments = new LinkedHashMap<>();
        body.object("reasoning").flatMap(r -> r.text("effort")).ifPresent(e -> arguments.put("reasoning_effort", e));
        String prompt = ChatCalls.render(served, new ChatRequest(ResponseInput.messages(body), tools, true, arguments), "input");
        Ask ask = Ask.of(served, body, List.of(served.text().encodeRendered(prompt)), "input",
                body.whole("max_output_tokens").orElse(Integer.MAX_VALUE), 0);
        ReplyOptions options = new ReplyOptions(OfferedTool.of(tools), !tools.isEmpty(), true, prompt);
        Replies replies = Replies.open(served, ask, () -> served.replies().stream(served.text(), options), client);
        ChatChoice choice = new ChatChoice(served.replies().open(options), !body.flag("parallel_tool_calls", true));
        ResponseStream answer = new ResponseStream(replies, choice, frame(body, ask), beat);
        if (stream) {
            return answer;
        }
        try (answer) {
            return new Answer.Whole(answer.whole());
        } catch (IOException e) {
            throw new IllegalStateException("nothing is written while the answer is put together", e);
        }
    }

    /** What the response repeats of its request. */
    private ObjectNode frame(Body body, Ask ask) {
        Identity identity = Identity.of("resp_", served.id());
        ObjectNode out = JsonText.object().put("id", identity.id()).put("object", "response").put("created_at", identity.created())
                .put("model", served.id()).put("parallel_tool_calls", body.flag("parallel_tool_calls", true))
                .put("temperature", ask.sampling().temperature()).put("top_p", ask.sampling().filters().topP())
                .put("truncation", "disabled").put("store", false).put("background", false).put("service_tier", "default");
        out.set("instructions", body.node("instructions").orElse(null));
        out.set("max_output_tokens", body.node("max_output_tokens").orElse(null));
        out.set("tool_choice", body.node("tool_choice").orElseGet(() -> StringNode.valueOf("auto")));
        out.set("tools", body.node("tools").orElseGet(JsonText::array));
        out.set("metadata", body.node("metadata").orElseGet(JsonText::object));
        out.set("user", body.node("user").orElse(null));
        out.putObject("text").putObject("format").put("type", "text");
        String effort = body.object("reasoning").flatMap(r -> r.text("effort")).orElse(null);
        out.putObject("reasoning").put("effort", effort).putNull("summary");
        out.putNull("previous_response_id");
        return out;
    }
}
