package poot.serve.openai;

import java.util.List;
import java.util.Set;
import poot.api.driver.SamplingParams;
import poot.core.engine.StopStrings;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.schema.Body;

/**
 * What a generating request asks of the engine.
 *
 * @param prompts  ids, one list a prompt
 * @param field    that holds them, for messages
 * @param sampling of the first choice
 * @param choices  of each prompt
 * @param tokens   of a choice at most
 * @param stopIds  ids that end a choice
 * @param stops    strings that end a choice
 */
record Ask(List<int[]> prompts, String field, SamplingParams sampling, int choices, int tokens, Set<Integer> stopIds, StopStrings stops) {
    /** Choices of one request at most, those of every prompt counted. */
    private static final int MOST = 128;

    /** The shared fields of a body; {@code tokens} is what it asks for at most. */
    static Ask of(Served served, Body body, List<int[]> prompts, String field, long tokens, int logprobs) throws ApiException {
        int choices = (int) body.whole("n").orElse(1);
        requireFew(body.at("n"), choices, prompts);
        Set<Integer> stopIds = body.flag("ignore_eos", false) ? Set.of() : served.engine().config().endOfSequence();
        return new Ask(prompts, field, Sampling.params(body, served.defaults(), logprobs), choices,
                (int) Math.min(tokens, served.output()), stopIds, Sampling.stops(body));
    }

    private static void requireFew(String field, int choices, List<int[]> prompts) throws ApiException {
        if ((long) choices * prompts.size() > MOST) {
            throw new ApiException(new ApiFault.NotAllowed(field, choices + " for each of " + prompts.size() + " prompts",
                    "at most " + MOST + " choices in all"));
        }
    }

    /** With so many choices of each prompt, as {@code best_of} says. */
    Ask withCandidates(int candidates) throws ApiException {
        requireFew("best_of", candidates, prompts);
        return new Ask(prompts, field, sampling, candidates, tokens, stopIds, stops);
    }

    /** Likeliest tokens the engine has to report for so many to be shown; it gives a chosen token's logprob only with some. */
    static int reported(boolean wanted, long top) {
        return wanted ? (int) Math.max(1, top) : 0;
    }
}
