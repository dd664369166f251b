package poot.serve.openai;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import poot.core.text.ContinuedText;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.schema.Body;
import tools.jackson.databind.JsonNode;

/** {@code POST /v1/completions}. */
public final class CompletionCalls implements Call {
    private static final int USUAL_TOKENS = 16;

    private final Served served;
    private final Duration beat;

    /**
     * Continues texts.
     *
     * @param beat how long a stream may be silent before the client is looked for
     */
    public CompletionCalls(Served served, Duration beat) {
        this.served = served;
        this.beat = beat;
    }

    @Override
    public Answer answer(Body body, Client client) throws ApiException, InterruptedException {
        served.requireModel(body);
        served.requireGeneration();
        boolean wanted = body.has("logprobs");
        int top = (int) body.whole("logprobs").orElse(0);
        boolean echo = body.flag("echo", false);
        if (echo && wanted) {
            throw new ApiException(new ApiFault.Unsupported("echo", "logprobs of the prompt are not computed; leave out one of the two"));
        }
        int kept = (int) body.whole("n").orElse(1);
        int candidates = candidates(body, kept);
        boolean usage = Sampling.includeUsage(body);
        JsonNode prompt = body.node("prompt").orElseThrow();
        List<int[]> prompts = Inputs.ids(prompt, served.text(), true);
        Ask ask = Ask.of(served, body, prompts, "prompt", body.whole("max_tokens").orElse(USUAL_TOKENS),
                Ask.reported(wanted || candidates > kept, top)).withCandidates(candidates);
        Replies replies = Replies.open(served, ask, p -> ContinuedText.after(served.text(), p), client);
        List<String> begin = echo ? echoed(prompt, prompts) : List.of();
        CompletionWriter writer = new CompletionWriter(served.id(), candidates, kept, begin,
                wanted ? new Logprobs(served.text(), top) : null, usage);
        if (body.flag("stream", false)) {
            return new CompletionStream(replies, writer, beat);
        }
        try (replies) {
            return new Answer.Whole(writer.whole(replies));
        }
    }

    /** How many are made of each prompt, of which {@code kept} are answered. */
    private static int candidates(Body body, int kept) throws ApiException {
        int candidates = (int) body.whole("best_of").orElse(kept);
        if (candidates < kept) {
            throw new ApiException(new ApiFault.NotAllowed(body.at("best_of"), candidates + " with n = " + kept, "n at least"));
        }
        if (candidates > kept && body.flag("stream", false)) {
            throw new ApiException(new ApiFault.NotAllowed(body.at("best_of"), "more than n in a stream",
                    "n, or stream false: the best are known when all are whole"));
        }
        return candidates;
    }

    private List<String> echoed(JsonNode prompt, List<int[]> ids) {
        List<String> out = new ArrayList<>();
        boolean text = prompt.isString() || prompt.get(0).isString();
        for (int i = 0; i < ids.size(); i++) {
            JsonNode p = prompt.isString() ? prompt : prompt.get(i);
            out.add(text ? p.stringValue() : served.text().decode(ids.get(i), true));
        }
        return out;
    }
}
