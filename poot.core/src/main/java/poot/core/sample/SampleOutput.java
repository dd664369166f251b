package poot.core.sample;

/** The outputs a head gives a step; R rows, n logprobs. */
public final class SampleOutput {
    /** BOOL [R]: whether the sum of the row's logits is finite. */
    public static final String FINITE = "finite";
    /** I32 [R]: the chosen token. */
    public static final String TOKEN = "token";
    /** F32 [R]: the chosen token's logprob. */
    public static final String LOGPROB = "logprob";
    /** I32 [R, n]: the likeliest tokens, falling. */
    public static final String TOP_TOKENS = "top_tokens";
    /** F32 [R, n]: their logprobs. */
    public static final String TOP_LOGPROBS = "top_logprobs";

    private SampleOutput() {}
}
