package poot.api.driver;

import java.util.Set;

/**
 * When a generation ends.
 *
 * @param maxTokens new tokens at most, at least 1
 * @param stopIds   ids that end it; they are neither committed nor handed to the sink
 */
public record GenerateLimits(int maxTokens, Set<Integer> stopIds) {
    public GenerateLimits {
        if (maxTokens < 1) {
            throw new IllegalArgumentException("maxTokens " + maxTokens);
        }
        stopIds = Set.copyOf(stopIds);
    }
}
