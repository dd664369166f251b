package poot.core.engine;

import java.time.Duration;
import java.util.Optional;

/**
 * How long a request may take, from its submission. Looked at between steps.
 *
 * @param queued until its first step; empty for any time
 * @param total  until it has ended; empty for any time
 */
public record Deadlines(Optional<Duration> queued, Optional<Duration> total) {
    /** Any time. */
    public static final Deadlines NONE = new Deadlines(Optional.empty(), Optional.empty());

    public Deadlines {
        queued.ifPresent(Deadlines::requirePositive);
        total.ifPresent(Deadlines::requirePositive);
    }

    private static void requirePositive(Duration d) {
        if (d.isNegative() || d.isZero()) {
            throw new IllegalArgumentException("a deadline of " + d);
        }
    }

    /** With that long to wait for a row. */
    public Deadlines withQueued(Duration d) {
        return new Deadlines(Optional.of(d), total);
    }

    /** With that long in all. */
    public Deadlines withTotal(Duration d) {
        return new Deadlines(queued, Optional.of(d));
    }
}
