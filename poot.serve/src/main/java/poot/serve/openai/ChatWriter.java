package poot.serve.openai;

import java.util.List;
import poot.core.engine.TokenText;
import poot.serve.fault.ApiException;
import poot.serve.json.JsonText;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Chat answers as objects: the whole one, or its chunks. */
final class ChatWriter {
    private final Identity identity;
    private final Logprobs logprobs;
    private final boolean includeUsage;

    /**
     * Writes one answer.
     *
     * @param logprobs shows them; null where none are wanted
     */
    ChatWriter(String model, Logprobs logprobs, boolean includeUsage) {
        this.identity = Identity.of("chatcmpl-", model);
        this.logprobs = logprobs;
        this.includeUsage = includeUsage;
    }

    /** Reads every choice to its end. */
    ObjectNode whole(Replies replies, List<ChatChoice> choices) throws InterruptedException, ApiException {
        ObjectNode out = identity.object("chat.completion");
        ArrayNode list = out.putArray("choices");
        Finishes.Sum usage = new Finishes.Sum(choices.size());
        for (int i = 0; i < choices.size(); i++) {
            ChatMessage message = new ChatMessage();
            choices.get(i).read(replies, i, message::add);
            Delta.Finish finish = message.finish();
            ObjectNode choice = list.addObject().put("index", i);
            choice.set("message", message.object());
            choice.set("logprobs", shown(choices.get(i).takeTokens()));
            choice.put("finish_reason", finish.reason());
            usage.add(i, finish.usage());
        }
        out.set("usage", usage.usage());
        return out;
    }

    /** The chunk that opens a choice. */
    ObjectNode opening(int index) {
        ObjectNode delta = JsonText.object().put("role", "assistant").put("content", "");
        return chunk(index, delta, List.of(), null);
    }

    /** The chunk of a delta, with the tokens since the chunk before. */
    ObjectNode chunk(int index, Delta d, List<TokenText> tokens) {
        ObjectNode delta = JsonText.object();
        switch (d) {
            case Delta.Text t -> delta.put("content", t.text());
            case Delta.Reasoning r -> delta.put("reasoning_content", r.text());
            case Delta.CallStart c -> {
                ObjectNode call = delta.putArray("tool_calls").addObject().put("index", c.call()).put("id", c.id()).put("type", "function");
                call.putObject("function").put("name", c.name()).put("arguments", "");
            }
            case Delta.CallArguments a -> delta.putArray("tool_calls").addObject().put("index", a.call())
                    .putObject("function").put("arguments", a.text());
            case Delta.Finish _ -> { }
        }
        return chunk(index, delta, tokens, d instanceof Delta.Finish f ? f.reason() : null);
    }

    private ObjectNode chunk(int index, ObjectNode delta, List<TokenText> tokens, String finish) {
        ObjectNode out = identity.object("chat.completion.chunk");
        ObjectNode choice = out.putArray("choices").addObject().put("index", index);
        choice.set("delta", delta);
        choice.set("logprobs", tokens.isEmpty() ? null : shown(tokens));
        choice.put("finish_reason", finish);
        if (includeUsage) {
            out.putNull("usage");
        }
        return out;
    }

    /** Whether a last chunk carries the usage. */
    boolean includesUsage() {
        return includeUsage;
    }

    /** The last chunk. */
    ObjectNode usage(Finishes.Sum sum) {
        ObjectNode out = identity.object("chat.completion.chunk");
        out.putArray("choices");
        out.set("usage", sum.usage());
        return out;
    }

    private ObjectNode shown(List<TokenText> tokens) {
        return logprobs == null ? null : logprobs.chat(tokens);
    }
}
