package poot.serve.openai;

import java.util.List;
import java.util.Map;
import poot.core.text.chat.ChatRequest;
import poot.core.text.ContinuedText;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.json.JsonText;
import poot.serve.schema.Body;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code POST /tokenize} and {@code POST /detokenize}. */
public final class TokenCalls {
    private final Served served;

    /** Shows how a model reads text. */
    public TokenCalls(Served served) {
        this.served = served;
    }

    /** Text, or a conversation, to ids. */
    public Answer tokenize(Body body, Client client) throws ApiException {
        served.requireModel(body);
        int[] ids = ids(body);
        ObjectNode out = JsonText.object().put("count", ids.length).put("max_model_len", served.capacity());
        ArrayNode tokens = out.putArray("tokens");
        for (int id : ids) {
            tokens.add(id);
        }
        if (body.flag("return_token_strs", false)) {
            ArrayNode texts = out.putArray("token_strs");
            for (int id : ids) {
                texts.add(ContinuedText.token(served.text(), id));
            }
        }
        return new Answer.Whole(out);
    }

    private int[] ids(Body body) throws ApiException {
        int given = (body.has("prompt") ? 1 : 0) + (body.has("content") ? 1 : 0) + (body.has("messages") ? 1 : 0);
        if (given != 1) {
            throw new ApiException(new ApiFault.NotAllowed("prompt", given + " times given, its other spellings counted",
                    "given once, as prompt, content or messages"));
        }
        if (!body.has("messages")) {
            for (String only : List.of("tools", "add_generation_prompt", "chat_template_kwargs")) {
                if (body.has(only)) {
                    throw new ApiException(new ApiFault.NotAllowed(only, "given", "left out unless messages are"));
                }
            }
            String text = body.text("prompt").or(() -> body.text("content")).orElseThrow();
            return served.text().encode(text, body.flag("add_special_tokens", true));
        }
        if (body.has("add_special_tokens")) {
            throw new ApiException(new ApiFault.NotAllowed("add_special_tokens", "given", "left out with messages: the template writes them"));
        }
        Map<String, Object> arguments = body.object("chat_template_kwargs").map(Body::plain).orElse(Map.of());
        ChatRequest request = new ChatRequest(body.objects("messages").stream().map(Body::plain).toList(),
                body.objects("tools").stream().map(Body::plain).toList(), body.flag("add_generation_prompt", true), arguments);
        return served.text().encodeRendered(ChatCalls.render(served, request, "messages"));
    }

    /** Ids to text. */
    public Answer detokenize(Body body, Client client) throws ApiException {
        served.requireModel(body);
        JsonNode list = body.node("tokens").orElseThrow();
        int[] ids = Inputs.ids(list);
        int known = served.text().vocabularySize();
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] >= known) {
                throw new ApiException(new ApiFault.NotAllowed("tokens[" + i + "]", Integer.toString(ids[i]), "below " + known));
            }
        }
        String text = served.text().decode(ids, body.flag("skip_special_tokens", false));
        return new Answer.Whole(JsonText.object().put("prompt", text).put("content", text));
    }
}
