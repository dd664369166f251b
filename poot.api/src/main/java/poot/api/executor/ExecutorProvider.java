package poot.api.executor;

/** A backend, found with {@link java.util.ServiceLoader}. Construction and {@link #probe} never throw. */
public interface ExecutorProvider {
    /** The name a user selects it by. */
    String name();

    /** Among available backends the highest priority is the default; the CPU has 0. */
    int priority();

    /** Whether it can run here, and if not why. */
    Availability probe();

    /**
     * Opens an executor.
     *
     * @throws ExecutorException if the backend is unavailable or the options cannot be met
     */
    Executor open(ExecutorOptions options) throws ExecutorException;
}
