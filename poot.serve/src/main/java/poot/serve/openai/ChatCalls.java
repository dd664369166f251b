package poot.serve.openai;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.api.model.ChatException;
import poot.core.text.chat.ChatRequest;
import poot.core.text.reply.OfferedTool;
import poot.core.text.reply.ReplyOptions;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.schema.Body;

/** {@code POST /v1/chat/completions}. */
public final class ChatCalls implements Call {
    private final Served served;
    private final Duration beat;

    /**
     * Chats with a model.
     *
     * @param beat how long a stream may be silent before the client is looked for
     */
    public ChatCalls(Served served, Duration beat) {
        this.served = served;
        this.beat = beat;
    }

    @Override
    public Answer answer(Body body, Client client) throws ApiException, InterruptedException {
        served.requireModel(body);
        served.requireGeneration();
        boolean wanted = body.flag("logprobs", false);
        if (body.has("top_logprobs") && !wanted) {
            throw new ApiException(new ApiFault.NotAllowed("top_logprobs", "given", "left out unless logprobs is true"));
        }
        boolean usage = Sampling.includeUsage(body);
        int top = (int) body.whole("top_logprobs").orElse(0);
        List<Map<String, Object>> tools = offered(served, body, body.objects("tools").stream().map(Body::plain).toList());
        String prompt = render(served, body, "messages", tools, true);
        Ask ask = Ask.of(served, body, List.of(served.text().encodeRendered(prompt)), "messages", tokens(body),
                Ask.reported(wanted, top));
        ReplyOptions options = new ReplyOptions(OfferedTool.of(tools), !tools.isEmpty(), true, prompt);
        Replies replies = Replies.open(served, ask, () -> served.replies().stream(served.text(), options), client);
        ChatWriter writer = new ChatWriter(served.id(), wanted ? new Logprobs(served.text(), top) : null, usage);
        boolean oneCall = !body.flag("parallel_tool_calls", true);
        List<ChatChoice> choices = java.util.stream.Stream.generate(() -> new ChatChoice(served.replies().open(options), oneCall))
                .limit(replies.size()).toList();
        if (body.flag("stream", false)) {
            return new ChatStream(replies, choices, writer, beat);
        }
        try (replies) {
            return new Answer.Whole(writer.whole(replies, choices));
        }
    }

    /** Of a choice at most; the smaller where both spellings are given. */
    private static long tokens(Body body) {
        return Math.min(body.whole("max_completion_tokens").orElse(Integer.MAX_VALUE), body.whole("max_tokens").orElse(Integer.MAX_VALUE));
    }

    /**
     * The tools that are offered: none where {@code tool_choice} says so.
     *
     * @throws ApiException if the model is offered tools it cannot see, or told to choose among none
     */
    static List<Map<String, Object>> offered(Served served, Body body, List<Map<String, Object>> tools) throws ApiException {
        boolean none = body.node("tool_choice").filter(c -> c.isString() && c.stringValue().equals("none")).isPresent();
        if (body.has("tool_choice") && !none && tools.isEmpty()) {
            throw new ApiException(new ApiFault.NotAllowed("tool_choice", "given", "left out, or none, where no tools are"));
        }
        if (!none && !tools.isEmpty() && !(served.chat().takesTools() && served.replies().readsCalls())) {
            throw new ApiException(new ApiFault.Unsupported("tools", "the chat template of \"" + served.id() + "\" offers none to the model"));
        }
        return none ? List.of() : tools;
    }

    /**
     * The prompt of a conversation.
     *
     * @throws ApiException if the template refuses it
     */
    static String render(Served served, Body body, String field, List<Map<String, Object>> tools, boolean generate) throws ApiException {
        Map<String, Object> arguments = new LinkedHashMap<>();
        body.text("reasoning_effort").ifPresent(e -> arguments.put("reasoning_effort", e));
        body.object("chat_template_kwargs").ifPresent(k -> arguments.putAll(k.plain()));
        List<Map<String, Object>> messages = body.objects(field).stream().map(Body::plain).toList();
        return render(served, new ChatRequest(messages, tools, generate, arguments), field);
    }

    /** The prompt of a conversation; {@code field} is at fault where no message is. */
    static String render(Served served, ChatRequest request, String field) throws ApiException {
        try {
            return served.chat().render(request);
        } catch (ChatException e) {
            String at = switch (e.fault()) {
                case ChatException.BadMessage m -> m.path();
                case ChatException.NoTemplate _, ChatException.Refused _ -> field;
            };
            throw new ApiException(new ApiFault.BadChat(at, e.fault()), e);
        }
    }
}
