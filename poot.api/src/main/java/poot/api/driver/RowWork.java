package poot.api.driver;

import java.util.Objects;

/**
 * One row of a step: a sequence to feed.
 *
 * @param sequence whose pending tokens are fed
 * @param atMost   tokens to feed at most, at least 1; the driver's chunk bounds it too
 */
public record RowWork(Sequence sequence, int atMost) {
    public RowWork {
        Objects.requireNonNull(sequence);
        if (atMost < 1) {
            throw new IllegalArgumentException("at most " + atMost + " tokens");
        }
    }

    /** As many pending tokens as one step takes. */
    public static RowWork of(Sequence sequence) {
        return new RowWork(sequence, Integer.MAX_VALUE);
    }
}
