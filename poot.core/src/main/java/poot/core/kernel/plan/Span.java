package poot.core.kernel.plan;

import java.util.Objects;

/** Some bytes of some memory; an argument of a kernel, which touches no others. */
public record Span(Home home, long offset, long bytes) implements Actual {
    public Span {
        Objects.requireNonNull(home);
        if (offset < 0 || bytes < 0) {
            throw new IllegalArgumentException(bytes + " bytes at " + offset + " of " + home);
        }
    }

    /** The bytes from {@code from} on. */
    public Span from(long from) {
        return new Span(home, offset + from, bytes - from);
    }

    /** At least these bytes in whole words; memory is allocated in more. */
    public Span words() {
        return new Span(home, offset, (bytes + 3) & -4L);
    }

    /** Whether two name a byte both. */
    public boolean meets(Span other) {
        return home.equals(other.home) && offset < other.offset + other.bytes && other.offset < offset + bytes;
    }
}
