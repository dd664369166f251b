package poot.api.executor;

import java.util.Objects;

/**
 * What a caller may ask of an executor.
 *
 * @param threads worker threads; 0 lets the backend choose
 * @param weights where weights are read from
 */
public record ExecutorOptions(int threads, Residency weights) {
    /** The backend's own choices. */
    public static final ExecutorOptions DEFAULT = new ExecutorOptions(0);

    public ExecutorOptions {
        Objects.requireNonNull(weights);
        if (threads < 0) {
            throw new IllegalArgumentException("threads " + threads);
        }
    }

    /** So many threads, weights where the backend chooses. */
    public ExecutorOptions(int threads) {
        this(threads, Residency.AUTO);
    }

    /** With weights read from there. */
    public ExecutorOptions withWeights(Residency residency) {
        return new ExecutorOptions(threads, residency);
    }
}
