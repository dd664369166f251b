package poot.api.driver;

/** A feature of a driver or a request that may not compose with another. */
public enum Feature {
    /** A random draw (temperature above 0). */
    DRAW("a random draw"),
    /** Penalties or a logit bias. */
    HISTORY("penalties or logit bias"),
    /** Logprobs of the chosen and the likeliest tokens. */
    LOGPROBS("logprobs"),
    /** The full logits of each step. */
    FULL_LOGITS("full logits"),
    /** State that summarises the past and cannot be cut back. */
    RECURRENT_STATE("recurrent state"),
    /** Forgetting the last tokens of a sequence. */
    REWIND("rewinding a sequence"),
    /** Starting from keys and values kept of another sequence; where it does not compose a request does without. */
    PREFIX_REUSE("reuse of a cached beginning"),
    /** Inputs a request supplies beside its tokens. */
    REQUEST_INPUTS("request inputs");

    private final String text;

    Feature(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
