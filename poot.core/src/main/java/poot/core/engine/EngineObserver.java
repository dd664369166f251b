package poot.core.engine;

import java.time.Duration;

/**
 * Sees what an engine does, as plain numbers for whatever collects them. Every method but {@link #refused} is called on
 * the engine's thread, between steps: it must be quick and must not block. What it throws breaks the engine.
 */
public interface EngineObserver {
    /** A request was not accepted. Called on the submitter's thread. */
    default void refused(SubmitFault fault) {}

    /** A request is in a step for the first time, {@code queued} after its submission; {@code reused} of its prompt tokens were cached. */
    default void started(Duration queued, int prompt, int reused) {}

    /** A request's first token was chosen, {@code sinceSubmit} after its submission. */
    default void firstToken(Duration sinceSubmit) {}

    /** A later token was chosen, {@code sincePrevious} after the one before it. */
    default void nextToken(Duration sincePrevious) {}

    /** A request ended, {@code sinceSubmit} after its submission. */
    default void ended(End end, Usage usage, Duration sinceSubmit) {}

    /** A request failed, {@code sinceSubmit} after its submission. */
    default void failed(EngineFault fault, Usage usage, Duration sinceSubmit) {}

    /** A row's blocks were taken back: {@code tokens} that were fed will be fed again, but for those still cached. */
    default void preempted(int tokens) {}

    /** A step was made. */
    default void stepped(StepReport step) {}

    /** Rows were encoded. */
    default void encoded(int rows, Duration time) {}

    /** The engine broke; nothing follows. */
    default void broke(Throwable cause) {}
}
