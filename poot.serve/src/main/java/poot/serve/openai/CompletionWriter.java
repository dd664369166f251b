package poot.serve.openai;

import java.util.ArrayList;
import java.util.List;
import poot.core.engine.Piece;
import poot.core.engine.TokenText;
import poot.serve.fault.ApiException;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Completions as objects: the whole answer, or its chunks. */
final class CompletionWriter {
    private final Identity identity;
    private final int choices;
    private final List<String> echoes;
    private final Logprobs logprobs;
    private final boolean includeUsage;

    /**
     * Writes one answer.
     *
     * @param choices  of each prompt
     * @param echoes   what the choices of each prompt begin with; empty for nothing
     * @param logprobs shows them; null where none are wanted
     */
    CompletionWriter(String model, int choices, List<String> echoes, Logprobs logprobs, boolean includeUsage) {
        this.identity = Identity.of("cmpl-", model);
        this.choices = choices;
        this.echoes = echoes;
        this.logprobs = logprobs;
        this.includeUsage = includeUsage;
    }

    /** Reads every choice to its end. */
    ObjectNode whole(Replies replies) throws InterruptedException, ApiException {
        ObjectNode out = identity.object("text_completion");
        ArrayNode list = out.putArray("choices");
        Finishes.Sum usage = sum();
        for (int i = 0; i < replies.size(); i++) {
            StringBuilder text = new StringBuilder(echo(i));
            List<TokenText> tokens = new ArrayList<>();
            Piece.Done done = read(replies, i, text, tokens);
            list.add(choice(i, text.toString(), tokens, Finishes.reason(done.end())));
            usage.add(i, done.usage());
        }
        out.set("usage", usage.usage());
        return out;
    }

    private static Piece.Done read(Replies replies, int index, StringBuilder text, List<TokenText> tokens)
            throws InterruptedException, ApiException {
        while (true) {
            switch (replies.next(index)) {
                case Piece.Text t -> {
                    text.append(t.text());
                    tokens.addAll(t.tokens());
                }
                case Piece.Done d -> {
                    Finishes.requireWhole(d);
                    return d;
                }
                case Piece.Failed f -> throw new ApiException(EngineFaults.of(f.fault(), "prompt"));
            }
        }
    }

    /** What a choice begins with. */
    String echo(int index) {
        return echoes.isEmpty() ? "" : echoes.get(index / choices);
    }

    /** A fresh sum of usage. */
    Finishes.Sum sum() {
        return new Finishes.Sum(choices);
    }

    /** A chunk of one choice; {@code finish} is null until its last. */
    ObjectNode chunk(int index, String text, List<TokenText> tokens, String finish) {
        ObjectNode out = identity.object("text_completion");
        out.putArray("choices").add(choice(index, text, tokens, finish));
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
        ObjectNode out = identity.object("text_completion");
        out.putArray("choices");
        out.set("usage", sum.usage());
        return out;
    }

    private ObjectNode choice(int index, String text, List<TokenText> tokens, String finish) {
        ObjectNode out = poot.serve.json.JsonText.object().put("text", text).put("index", index);
        out.set("logprobs", logprobs == null ? null : logprobs.completion(tokens, echo(index).length()));
        return out.put("finish_reason", finish);
    }
}
