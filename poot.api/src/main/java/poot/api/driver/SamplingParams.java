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
 *   <li>a draw from what stays, renormalised.
 * </ol>
 *
 * The order of the filters is that of Hugging Face transformers (temperature, top-k, top-p, min-p); repetition counts
 * prompt and output, presence and frequency the output alone, as vLLM does. The draw for the token at position n uses
 * random word n of {@code seed}, so it is reproducible and depends on no other sequence.
 *
 * @param temperature T, at least 0
 * @param topK        k, at least 0
 * @param topP        in (0, 1]
 * @param minP        in [0, 1]
 * @param repetition  r, above 0; 1 changes nothing
 * @param presence    p, finite
 * @param frequency   f, finite
 * @param bias        by token id, finite
 * @param seed        of the random draws
 * @param logprobs    how many of the likeliest tokens are reported with each choice; 0 reports none. Logprobs are
 *     those of the adjusted distribution: after penalties, bias, temperature and filters (at T = 0: without
 *     temperature and filters)
 */
public record SamplingParams(
        float temperature,
        int topK,
        float topP,
        float minP,
        float repetition,
        float presence,
        float frequency,
        SortedMap<Integer, Float> bias,
        long seed,
        int logprobs) {
    /** The most likely token. */
    public static final SamplingParams GREEDY =
            new SamplingParams(0f, 0, 1f, 0f, 1f, 0f, 0f, Collections.emptySortedMap(), 0, 0);

    public SamplingParams {
        bias.values().forEach(Objects::requireNonNull);
        bias = Collections.unmodifiableSortedMap(new TreeMap<>(bias));
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
        return repetition != 1f || presence != 0f || frequency != 0f || !bias.isEmpty();
    }

    /** These parameters with another temperature. */
    public SamplingParams withTemperature(float v) {
        return new SamplingParams(v, topK, topP, minP, repetition, presence, frequency, bias, seed, logprobs);
    }

    /** These parameters with another topK. */
    public SamplingParams withTopK(int v) {
        return new SamplingParams(temperature, v, topP, minP, repetition, presence, frequency, bias, seed, logprobs);
    }

    /** These parameters with another topP. */
    public SamplingParams withTopP(float v) {
        return new SamplingParams(temperature, topK, v, minP, repetition, presence, frequency, bias, seed, logprobs);
    }

    /** These parameters with another minP. */
    public SamplingParams withMinP(float v) {
        return new SamplingParams(temperature, topK, topP, v, repetition, presence, frequency, bias, seed, logprobs);
    }

    /** These parameters with another repetition. */
    public SamplingParams withRepetition(float v) {
        return new SamplingParams(temperature, topK, topP, minP, v, presence, frequency, bias, seed, logprobs);
    }

    /** These parameters with another presence. */
    public SamplingParams withPresence(float v) {
        return new SamplingParams(temperature, topK, topP, minP, repetition, v, frequency, bias, seed, logprobs);
    }

    /** These parameters with another frequency. */
    public SamplingParams withFrequency(float v) {
        return new SamplingParams(temperature, topK, topP, minP, repetition, presence, v, bias, seed, logprobs);
    }

    /** These parameters with another bias. */
    public SamplingParams withBias(SortedMap<Integer, Float> v) {
        return new SamplingParams(temperature, topK, topP, minP, repetition, presence, frequency, v, seed, logprobs);
    }

    /** These parameters with another seed. */
    public SamplingParams withSeed(long v) {
        return new SamplingParams(temperature, topK, topP, minP, repetition, presence, frequency, bias, v, logprobs);
    }

    /** These parameters with another logprobs. */
    public SamplingParams withLogprobs(int v) {
        return new SamplingParams(temperature, topK, topP, minP, repetition, presence, frequency, bias, seed, v);
    }
}
