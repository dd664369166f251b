package poot.core.engine;

import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import poot.api.driver.Pick;

/**
 * What happens to a request, in order: {@link Started} at most once, {@link Token} for each token, then exactly one
 * {@link Ended} or {@link Failed}.
 */
public sealed interface Event {
    /**
     * The request is in a step for the first time.
     *
     * @param queued time from submission to that step
     * @param reused prompt tokens found in the prefix cache
     */
    record Started(Duration queued, int reused) implements Event {
        public Started {
            Objects.requireNonNull(queued);
        }
    }

    /**
     * A token was chosen.
     *
     * @param pick  the token
     * @param index its place in the answer, from 0
     */
    record Token(Pick pick, int index) implements Event {
        public Token {
            Objects.requireNonNull(pick);
        }
    }

    /**
     * The request is over.
     *
     * @param end    why
     * @param usage  what it took
     * @param stopId the stop id that was chosen, where one ended it; it is no {@link Token}
     */
    record Ended(End end, Usage usage, OptionalInt stopId) implements Event {
        public Ended {
            Objects.requireNonNull(end);
            Objects.requireNonNull(usage);
            Objects.requireNonNull(stopId);
        }
    }

    /**
     * The request failed; the tokens before stand.
     *
     * @param fault why
     * @param usage what it took
     */
    record Failed(EngineFault fault, Usage usage) implements Event {
        public Failed {
            Objects.requireNonNull(fault);
            Objects.requireNonNull(usage);
        }
    }

    /** Whether no event follows. */
    default boolean last() {
        return this instanceof Ended || this instanceof Failed;
    }
}
