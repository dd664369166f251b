package poot.api.driver;

import java.util.Objects;

/** One admission: what a sequence starts from and how it goes on. */
public final class SeqRequest {
    private final int[] prompt;
    private final SamplingParams sampling;
    private final RequestInputs inputs;
    private final boolean logits;

    private SeqRequest(int[] prompt, SamplingParams sampling, RequestInputs inputs, boolean logits) {
        this.prompt = prompt;
        this.sampling = Objects.requireNonNull(sampling);
        this.inputs = Objects.requireNonNull(inputs);
        this.logits = logits;
    }

    /** A prompt continued by the most likely tokens. */
    public static SeqRequest of(int... prompt) {
        return new SeqRequest(prompt.clone(), SamplingParams.GREEDY, RequestInputs.NONE, false);
    }

    /** This request with other sampling. */
    public SeqRequest withSampling(SamplingParams s) {
        return new SeqRequest(prompt, s, inputs, logits);
    }

    /** This request with inputs beside its tokens. */
    public SeqRequest withInputs(RequestInputs i) {
        return new SeqRequest(prompt, sampling, i, logits);
    }

    /** This request for the full logits of each step in place of a chosen token. */
    public SeqRequest withLogits() {
        return new SeqRequest(prompt, sampling, inputs, true);
    }

    /** The prompt's ids, a fresh copy. */
    public int[] prompt() {
        return prompt.clone();
    }

    /** How tokens are chosen. */
    public SamplingParams sampling() {
        return sampling;
    }

    /** The inputs beside the tokens. */
    public RequestInputs inputs() {
        return inputs;
    }

    /** Whether the full logits are asked for. */
    public boolean logits() {
        return logits;
    }
}
