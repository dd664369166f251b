package poot.backend.cpu.x86.weight;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/** Which bytes of a step code reads, and how many of them as one number. */
final class Reads {
    private final SequencedMap<Integer, Integer> units = new LinkedHashMap<>();
    private boolean twoWays;
    private boolean toDivide;

    /** From now on code is to read every byte in one way, if it can. */
    void mustDivide() {
        toDivide = true;
    }

    boolean areToDivide() {
        return toDivide;
    }

    /** {@code count} numbers of {@code bytes} bytes from byte {@code at} on are read. */
    void note(int at, int bytes, int count) {
        for (int i = 0; i < count; i++) {
            Integer before = units.put(at + i * bytes, bytes);
            twoWays |= before != null && before != bytes;
        }
    }

    /** Whether every byte of a step is part of one number, and none beyond it is read. */
    boolean divide(int stepBytes) {
        int at = 0;
        for (Map.Entry<Integer, Integer> e : new TreeMap<>(units).entrySet()) {
            if (e.getKey() != at) {
                return false;
            }
            at += e.getValue();
        }
        return !twoWays && at == stepBytes;
    }

    /** Where numbers begin, in the order of their first reading, and how many bytes each has. */
    SequencedMap<Integer, Integer> units() {
        return units;
    }
}
