package poot.api.driver;

import java.util.List;

/**
 * A chosen token.
 *
 * @param token   its id
 * @param logprob its natural log probability in the adjusted distribution; NaN where no logprobs were asked for
 * @param top     the likeliest tokens in falling order; empty where none were asked for
 */
public record Pick(int token, float logprob, List<Candidate> top) {
    /** A token and its logprob; -infinity where a filter dropped it. */
    public record Candidate(int token, float logprob) {}

    public Pick {
        top = List.copyOf(top);
    }
}
