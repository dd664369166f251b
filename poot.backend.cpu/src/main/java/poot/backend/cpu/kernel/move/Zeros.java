package poot.backend.cpu.kernel.move;

import java.lang.foreign.MemorySegment;
import poot.backend.cpu.kernel.Lanes;

/** Zero bytes without a slice. */
public final class Zeros {
    private Zeros() {}

    /** Zeroes {@code bytes} bytes from {@code at} on. */
    public static void put(MemorySegment s, long at, long bytes) {
        long i = 0;
        for (; i + 4 <= bytes; i += 4) {
            s.set(Lanes.INT, at + i, 0);
        }
        for (; i < bytes; i++) {
            s.set(Lanes.BYTE, at + i, (byte) 0);
        }
    }
}
