package poot.backend.cpu.memory;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Where a dense value lies: an offset in a segment. The segment of a carried state is bound anew for each run; every
 * other region keeps its segment.
 */
public final class Region {
    private MemorySegment segment;
    private final long offset;

    private Region(MemorySegment segment, long offset) {
        this.segment = segment;
        this.offset = offset;
    }

    /** The bytes of {@code segment} from {@code offset} on. */
    public static Region of(MemorySegment segment, long offset) {
        return new Region(Objects.requireNonNull(segment), offset);
    }

    /** A region whose segment is bound before each run. */
    public static Region unbound() {
        return new Region(MemorySegment.NULL, 0);
    }

    /** Replaces the segment. */
    public void bind(MemorySegment other) {
        segment = Objects.requireNonNull(other);
    }

    /** The segment; of an unbound region {@link MemorySegment#NULL}. */
    public MemorySegment segment() {
        return segment;
    }

    /** The first byte in the segment. */
    public long offset() {
        return offset;
    }

    /** Whether both begin at the same byte of the same segment, now and after every binding. */
    public boolean sameAs(Region other) {
        return this == other || segment.equals(other.segment) && offset == other.offset
                && !segment.equals(MemorySegment.NULL);
    }
}
