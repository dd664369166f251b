package poot.api.driver;

import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the next token is chosen from the logits x of a step. In order:
 *
 * <ol>
 *   <li>bias: x[t] += bias[t];
 *   <li>repetition r: for every token of the prompt or the output, x[t] = x[t] &gt; 0 ? x[t] / r : x[t] · r;
 *   <li>presence p, frequency f: x[t] -= p · [t in the output] + f · (times t is in the output);
 *   <li>temperature T &gt; 0: x /= T; T = 0 takes the most likely token, the lowest id among equals, and skips the rest;
 *   <li>top-k: the k likeliest stay (equal ones by rising id); 0 keeps all;
 *   <li>top-p: of those, in falling order, a token stays while the probability before it is below p; 1 keeps all;
 *   <li>min-p: a token stays if its probability is at least minP times the largest; 0 keeps all;
 *   <li>a draw from what stays, renormalised: the first token, by rising id, at which the running sum of
 *       probabilities passes a uniform number in [0, 1).
 * </ol>
 *
 * The order of the filters is that of Hugging Face transformers (temperature, top-k, top-p, min-p); repetition counts
 * prompt and output, presence and frequency the output alone, as vLLM does. The draw for the token at position n uses
 * random word n of {@code seed}, so it is reproducible and depends on no other sequence.
 *
 * @param temperature T, at least 0
 * @param filters     which tokens a draw may choose
 * @param adjustment  what is done to the logits first
 * @param seed        of the random draws
 * @param logprobs    how many of the likeliest tokens are reported with each choice; 0 reports none. Logprobs are
 *     those of the adjusted distribution: after penalties, bias, temperature and filters (at T = 0: without
 *     temperature and filters)
 */
public record SamplingParams(float temperature, Filters filters, Adjustment adjustment, long seed, int logprobs) {
    /** The most likely token. */
    public static final SamplingParams GREEDY = new SamplingParams(0f, Filters.NONE, Adjustment.NONE, 0, 0);

    /**
     * Which tokens a draw may choose.
     *
     * @param topK k, at least 0
     * @param topP in (0, 1]
     * @param minP in [0, 1]
     */
    public record Filters(int topK, float topP, float minP) {
        /** All of them. */
        public static final Filters NONE = new Filters(0, 1f, 0f);
    }

    /**
     * What is done to the logits before a choice.
     *
     * @param repetition r, above 0; 1 changes nothing
     * @param presence   p, finite
     * @param frequency  f, finite
     * @param bias       by token id, finite
     */
    public record Adjustment(float repetition, float presence, float frequency, SortedMap<Integer, Float> bias) {
        /** Nothing. */
        public static final Adjustment NONE = new Adjustment(1f, 0f, 0f, Collections.emptySortedMap());

        public Adjustment {
            bias.values().forEach(Objects::requireNonNull);
            bias = Collections.unmodifiableSortedMap(new TreeMap<>(bias));
        }

        private boolean changes() {
            return repetition != 1f || presence != 0f || frequency != 0f || !bias.isEmpty();
        }
    }

    public SamplingParams {
        Objects.requireNonNull(filters);
        Objects.requireNonNull(adjustment);
    }

    /** A draw at a temperature. */
    public static SamplingParams draw(float temperature, long seed) {
        return GREEDY.withTemperature(temperature).withSeed(seed);
    }

    /** Whether a random draw is made. */
    public boolean draws() {
        return temperature > 0;
    }

    /** Whether the choice depends on the tokens before it, or on a bias. */
    public boolean readsHistory() {
        return adjustment.changes();
    }

    /** With another temperature. */
    public SamplingParams withTemperature(float t) {
        return new SamplingParams(t, filters, adjustment, seed, logprobs);
    }

    /** With the k likeliest tokens kept; 0 keeps all. */
    public SamplingParams withTopK(int k) {
        return with(new Filters(k, filters.topP, filters.minP));
    }

    /** With the likeliest tokens kept that reach a share of the probability. */
    public SamplingParams withTopP(float p) {
        return with(new Filters(filters.topK, p, filters.minP));
    }

    /** With the tokens kept that reach a share of the likeliest one's probability. */
    public SamplingParams withMinP(float p) {
        return with(new Filters(filters.topK, filters.topP, p));
    }

    /** With another repetition penalty. */
    public SamplingParams withRepetition(float r) {
        return with(new Adjustment(r, adjustment.presence, adjustment.frequency, adjustment.bias));
    }

    /** With another presence penalty. */
    public SamplingParams withPresence(float p) {
        return with(new Adjustment(adjustment.repetition, p, adjustment.frequency, adjustment.bias));
    }

    /** With another frequency penalty. */
    public SamplingParams withFrequency(float f) {
        return with(new Adjustment(adjustment.repetition, adjustment.presence, f, adjustment.bias));
    }

    /** With another bias. */
    public SamplingParams withBias(SortedMap<Integer, Float> bias) {
        return with(new Adjustment(adjustment.repetition, adjustment.presence, adjustment.frequency, bias));
    }

    /** With another seed. */
    public SamplingParams withSeed(long s) {
        return new SamplingParams(temperature, filters, adjustment, s, logprobs);
    }

    /** With that many of the likeliest tokens reported. */
    public SamplingParams withLogprobs(int n) {
        return new SamplingParams(temperature, filters, adjustment, seed, n);
    }

    private SamplingParams with(Filters f) {
        return new SamplingParams(temperature, f, adjustment, seed, logprobs);
    }

    private SamplingParams with(Adjustment a) {
        return new SamplingParams(temperature, filters, a, seed, logprobs);
    }
}
