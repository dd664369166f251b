package poot.serve.openai;

import java.util.ArrayList;
import java.util.Comparator;
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
    private final int kept;
    private final List<String> echoes;
    private final Logprobs logprobs;
    private final boolean includeUsage;

    /**
     * Writes one answer.
     *
     * @param choices  of each prompt that are made
     * @param kept     of those, how many are shown: the likeliest
     * @param echoes   what the choices of each prompt begin with; empty for nothing
     * @param logprobs shows them; null where none are wanted
     */
    CompletionWriter(String model, int choices, int kept, List<String> echoes, Logprobs logprobs, boolean includeUsage) {
        this.identity = Identity.of("cmpl-", model);
        this.choices = choices;
        this.kept = kept;
        this.echoes = echoes;
        this.logprobs = logprobs;
        this.includeUsage = includeUsage;
    }

    /** A choice read to its end. */
    private record Candidate(String text, List<TokenText> tokens, Piece.Done done) {
        /** The mean logprob of its tokens; an empty one has the least. */
        double mean() {
            return tokens.stream().mapToDouble(t -> t.pick().logprob()).average().orElse(Double.NEGATIVE_INFINITY);
        }
    }

    /** Reads every choice to its end, and shows the best of each prompt. */
    ObjectNode whole(Replies replies) throws InterruptedException, ApiException {
        ObjectNode out = identity.object("text_completion");
        ArrayNode list = out.putArray("choices");
        Finishes.Sum usage = sum();
        List<Candidate> all = new ArrayList<>();
        for (int i = 0; i < replies.size(); i++) {
            all.add(read(replies, i));
            usage.add(i, all.getLast().done().usage());
        }
        for (int from = 0; from < all.size(); from += choices) {
            List<Candidate> of = new ArrayList<>(all.subList(from, from + choices));
            if (kept < choices) {
                of.sort(Comparator.comparingDouble(Candidate::mean).reversed());
            }
            String begin = echo(from);
            for (Candidate c : of.subList(0, kept)) {
                list.add(choice(list.size(), begin, begin + c.text(), c.tokens(), Finishes.reason(c.done().end())));
            }
        }
        out.set("usage", usage.usage());
        return out;
    }

    private static Candidate read(Replies replies, int index) throws InterruptedException, ApiException {
        StringBuilder text = new StringBuilder();
        List<TokenText> tokens = new ArrayList<>();
        while (true) {
            switch (replies.next(index)) {
                case Piece.Text t -> {
                    text.append(t.text());
                    tokens.addAll(t.tokens());
                }
                case Piece.Done d -> {
                    Finishes.requireWhole(d, false);
                    return new Candidate(text.toString(), tokens, d);
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
        out.putArray("choices").add(choice(index, echo(index), text, tokens, finish));
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

    private ObjectNode choice(int index, String begin, String text, List<TokenText> tokens, String finish) {
        ObjectNode out = poot.serve.json.JsonText.object().put("text", text).put("index", index);
        out.set("logprobs", logprobs == null ? null : logprobs.completion(tokens, begin.length()));
        return out.put("finish_reason", finish);
    }
}
