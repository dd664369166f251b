package poot.api.executor;

/**
 * What a caller may ask of an executor.
 *
 * @param threads worker threads; 0 lets the backend choose
 */
public record ExecutorOptions(int threads) {
    /** The backend's own choices. */
    public static final ExecutorOptions DEFAULT = new ExecutorOptions(0);

    public ExecutorOptions {
        if (threads < 0) {
            throw new IllegalArgumentException("threads " + threads);
        }
    }
}
