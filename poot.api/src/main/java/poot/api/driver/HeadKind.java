package poot.api.driver;

/** What a driver prepares to do with the logits of a step; from the narrowest to the widest. */
public enum HeadKind {
    /** The most likely token, nothing else. */
    GREEDY,
    /** Every sampling rule, penalties, bias and logprobs. */
    SAMPLE,
    /** The full logits, for callers that choose themselves. */
    LOGITS
}
