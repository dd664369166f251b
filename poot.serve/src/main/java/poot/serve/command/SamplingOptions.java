package poot.serve.command;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine.Option;
import poot.api.driver.GenerateLimits;
import poot.api.driver.HeadKind;
import poot.api.driver.SamplingParams;
import poot.api.model.ModelConfig;

/** How tokens are chosen and when a generation ends. */
final class SamplingOptions {
    @Option(names = {"-n", "--max-tokens"}, paramLabel = "N", defaultValue = "256",
            description = "New tokens at most. Default: ${DEFAULT-VALUE}.")
    private int maxTokens;

    @Option(names = {"-t", "--temperature"}, paramLabel = "T", defaultValue = "0",
            description = "0 takes the most likely token; higher is more varied. Default: ${DEFAULT-VALUE}.")
    private float temperature;

    @Option(names = "--top-k", paramLabel = "K", defaultValue = "0", description = "Keep the K likeliest tokens; 0 keeps all.")
    private int topK;

    @Option(names = "--top-p", paramLabel = "P", defaultValue = "1", description = "Keep the likeliest tokens up to this mass.")
    private float topP;

    @Option(names = "--min-p", paramLabel = "P", defaultValue = "0",
            description = "Keep tokens at least this likely, relative to the likeliest.")
    private float minP;

    @Option(names = "--repetition-penalty", paramLabel = "R", defaultValue = "1",
            description = "Divides the logits of tokens already seen; 1 changes nothing.")
    private float repetition;

    @Option(names = "--presence-penalty", paramLabel = "P", defaultValue = "0",
            description = "Subtracted from the logits of tokens already generated.")
    private float presence;

    @Option(names = "--frequency-penalty", paramLabel = "F", defaultValue = "0",
            description = "Subtracted once for each time a token was generated.")
    private float frequency;

    @Option(names = "--logit-bias", paramLabel = "ID=B", description = "Added to the logit of a token id; may be repeated.")
    private Map<Integer, Float> bias = Map.of();

    @Option(names = "--seed", paramLabel = "N", defaultValue = "0", description = "Seed of the draws. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--logprobs", paramLabel = "N", defaultValue = "0",
            description = "Report the N likeliest tokens at each step (with --output json).")
    private int logprobs;

    @Option(names = "--stop-id", paramLabel = "ID", description = "A token id that ends the generation; may be repeated.")
    private Set<Integer> stopIds = Set.of();

    @Option(names = "--ignore-eos", description = "Go on past the model's end-of-sequence tokens.")
    private boolean ignoreEos;

    SamplingParams params() {
        return SamplingParams.draw(temperature, seed).withTopK(topK).withTopP(topP).withMinP(minP).withRepetition(repetition)
                .withPresence(presence).withFrequency(frequency).withBias(new TreeMap<>(bias)).withLogprobs(logprobs);
    }

    /** The narrowest head that serves these parameters. */
    HeadKind head() {
        return temperature == 0 && !params().readsHistory() && logprobs == 0 ? HeadKind.GREEDY : HeadKind.SAMPLE;
    }

    /** Likeliest tokens reported at each step; what is not a count is refused with the other parameters. */
    int logprobs() {
        return Math.max(0, logprobs);
    }

    GenerateLimits limits(ModelConfig model) throws CommandFailure {
        if (maxTokens < 1) {
            throw new CommandFailure("--max-tokens " + maxTokens + ": give a positive number");
        }
        Set<Integer> stops = new LinkedHashSet<>(stopIds);
        if (!ignoreEos) {
            stops.addAll(model.endOfSequence());
        }
        return new GenerateLimits(maxTokens, stops);
    }
}
