package poot.api.executor;

import java.util.Objects;

/**
 * What a caller may ask of an executor. A backend refuses by name what it cannot meet; nothing is ignored.
 *
 * @param threads worker threads of a backend that computes on the host's processors; 0 lets the backend choose. A device
 *     has threads of its own, and refuses any other number
 * @param weights where weights are read from. A device with memory of its own reads copies and refuses
 *     {@link Residency#MAPPED}
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
