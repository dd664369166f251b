package poot.backend.cuda.interpret;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;

/** The memory a kernel may touch: allocations by address. */
public final class DeviceSpace {
    private final TreeMap<Long, Long> sizes = new TreeMap<>();
    private final MemorySegment all;

    /** An allocation: from the first byte to behind the last. */
    record Range(long from, long to) {
        static final Range NONE = new Range(0, 0);

        boolean holds(long address, int bytes) {
            return address >= from && address <= to - bytes;
        }
    }

    @SuppressWarnings("restricted")
    public DeviceSpace() {
        all = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    /** From now on {@code bytes} at {@code address} may be touched. */
    public void add(long address, long bytes) {
        sizes.put(address, bytes);
    }

    /** They may no more. @return whether they could */
    public boolean remove(long address) {
        return sizes.remove(address) != null;
    }

    /** How many allocations there are. */
    public int count() {
        return sizes.size();
    }

    MemorySegment all() {
        return all;
    }

    /** The allocation that holds an access. */
    Range find(long address, int bytes, String what) {
        Map.Entry<Long, Long> e = sizes.floorEntry(address);
        Range found = e == null ? Range.NONE : new Range(e.getKey(), e.getKey() + e.getValue());
        if (!found.holds(address, bytes)) {
            throw new PtxFault(what + ": " + bytes + " bytes at 0x" + Long.toHexString(address) + " are in no allocation"
                    + (e == null ? "" : "; the one before ends " + (address - found.to()) + " bytes earlier"));
        }
        return found;
    }
}
