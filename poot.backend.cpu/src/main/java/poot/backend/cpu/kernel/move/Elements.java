package poot.backend.cpu.kernel.move;

import static poot.backend.cpu.kernel.Lanes.BYTE;
import static poot.backend.cpu.kernel.Lanes.INT;
import static poot.backend.cpu.kernel.Lanes.SHORT;

import java.lang.foreign.MemorySegment;

/** Single elements by their size. */
final class Elements {
    private Elements() {}

    /** Copies one element of 1, 2 or 4 bytes. */
    static void copy(MemorySegment from, long at, MemorySegment to, long put, int bytes) {
        switch (bytes) {
            case 4 -> to.set(INT, put, from.get(INT, at));
            case 2 -> to.set(SHORT, put, from.get(SHORT, at));
            default -> to.set(BYTE, put, from.get(BYTE, at));
        }
    }
}
