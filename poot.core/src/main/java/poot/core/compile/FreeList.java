package poot.core.compile;

import java.util.Map;
import java.util.TreeMap;

/** The free stretches of an arena that grows as needed; every offset and size is a multiple of the alignment. */
final class FreeList {
    private final long alignment;
    private final TreeMap<Long, Long> free = new TreeMap<>();
    private long size;

    FreeList(long alignment) {
        this.alignment = alignment;
    }

    /** Bytes the arena needs. */
    long size() {
        return size;
    }

    /** The offset of a stretch of at least {@code bytes}: the smallest that fits, or new bytes at the end. */
    long take(long bytes) {
        long need = rounded(bytes);
        long at = -1;
        long found = Long.MAX_VALUE;
        for (Map.Entry<Long, Long> e : free.entrySet()) {
            if (e.getValue() >= need && e.getValue() < found) {
                at = e.getKey();
                found = e.getValue();
            }
        }
        if (at < 0) {
            return grow(need);
        }
        free.remove(at);
        if (found > need) {
            free.put(at + need, found - need);
        }
        return at;
    }

    /** New bytes at the end, together with a free stretch that ends there. */
    private long grow(long need) {
        Map.Entry<Long, Long> last = free.lastEntry();
        long offset = size;
        if (last != null && last.getKey() + last.getValue() == size) {
            offset = last.getKey();
            free.remove(offset);
        }
        size = Math.addExact(offset, need);
        return offset;
    }

    /** Gives a stretch back and joins it with its free neighbours. */
    void give(long offset, long bytes) {
        long from = offset;
        long to = offset + rounded(bytes);
        if (from == to) {
            return;
        }
        Map.Entry<Long, Long> before = free.lowerEntry(from);
        if (before != null && before.getKey() + before.getValue() == from) {
            from = before.getKey();
        }
        Long after = free.remove(to);
        if (after != null) {
            to += after;
        }
        free.put(from, to - from);
    }

    private long rounded(long bytes) {
        return Math.ceilDiv(bytes, alignment) * alignment;
    }
}
