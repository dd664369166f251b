package poot.serve.openai;

import java.util.List;
import poot.api.driver.Pick;
import poot.api.model.TextCodec;
import poot.core.engine.TokenText;
import poot.core.text.ContinuedText;
import poot.serve.json.JsonText;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Logprobs as the API shows them; a token that a filter dropped has the API's lowest, -9999. */
final class Logprobs {
    private static final double LOWEST = -9999;

    private final TextCodec text;
    private final int top;

    /** Shows logprobs with so many of the likeliest tokens. */
    Logprobs(TextCodec text, int top) {
        this.text = text;
        this.top = top;
    }

    /** Those of a chat's tokens: {@code {"content": [...], "refusal": null}}. */
    ObjectNode chat(List<TokenText> tokens) {
        ObjectNode out = JsonText.object();
        ArrayNode content = out.putArray("content");
        for (TokenText t : tokens) {
            ObjectNode entry = entry(t.pick().token(), t.pick().logprob());
            ArrayNode likeliest = entry.putArray("top_logprobs");
            shown(t.pick()).forEach(c -> likeliest.add(entry(c.token(), c.logprob())));
            content.add(entry);
        }
        out.putNull("refusal");
        return out;
    }

    /** Those of a completion's tokens, whose text begins at {@code offset} of the choice's. */
    ObjectNode completion(List<TokenText> tokens, int offset) {
        ObjectNode out = JsonText.object();
        ArrayNode names = out.putArray("tokens");
        ArrayNode logprobs = out.putArray("token_logprobs");
        ArrayNode likeliest = out.putArray("top_logprobs");
        ArrayNode offsets = out.putArray("text_offset");
        for (TokenText t : tokens) {
            names.add(name(t.pick().token()));
            logprobs.add(value(t.pick().logprob()));
            ObjectNode of = likeliest.addObject();
            shown(t.pick()).forEach(c -> of.put(name(c.token()), value(c.logprob())));
            offsets.add(offset + t.offset());
        }
        return out;
    }

    private List<Pick.Candidate> shown(Pick pick) {
        return pick.top().subList(0, Math.min(top, pick.top().size()));
    }

    private ObjectNode entry(int token, float logprob) {
        ObjectNode out = JsonText.object().put("token", name(token)).put("logprob", value(logprob));
        ArrayNode bytes = out.putArray("bytes");
        for (byte b : text.bytes(token)) {
            bytes.add(b & 0xFF);
        }
        return out;
    }

    private String name(int token) {
        return ContinuedText.token(text, token);
    }

    private static double value(float logprob) {
        return Float.isFinite(logprob) ? logprob : LOWEST;
    }
}
