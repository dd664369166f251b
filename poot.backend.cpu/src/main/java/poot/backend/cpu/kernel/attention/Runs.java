package poot.backend.cpu.kernel.attention;

import static poot.backend.cpu.kernel.Lanes.INT;

import java.lang.foreign.MemorySegment;
import poot.backend.cpu.memory.Workspace;

/**
 * The runs of a tile: stretches of its positions whose slots are neighbours. A cache in blocks is read run by run, as a
 * contiguous one is. They lie in a worker's scratch, since a tile is read once for each key/value head: whether a position
 * has no slot, then the first slot and the length of each run; such a position is a run of slot -1.
 */
record Runs(Keys keys, CacheRows cachedKeys, CacheRows cachedValues, Workspace workspace) {
    private static final int PAIR = 8;

    /** Bytes of scratch for a tile of {@code n} positions. */
    static long bytes(int n) {
        return (PAIR * (n + 1L) + 63) & -64;
    }

    /** Writes down the runs of {@code n} positions of a row; where they are {@code touched} they are read from end to end. */
    void find(int worker, long to, int row, int at, int n, boolean touched) {
        MemorySegment s = workspace.worker();
        boolean holes = false;
        long next = to + PAIR;
        for (int i = 0; i < n; next += PAIR) {
            int run = keys.run(row, at + i, n - i);
            int slot = keys.slot(row, at + i);
            holes |= run == 0;
            if (touched && run > 0) {
                workspace.wide(worker)[0] = cachedKeys.touch(slot, run) + cachedValues.touch(slot, run);
            }
            s.set(INT, next, slot);
            s.set(INT, next + 4, Math.max(1, run));
            i += Math.max(1, run);
        }
        s.set(INT, to, holes ? 1 : 0);
    }

    /** Whether some position has no slot. */
    boolean holes(long at) {
        return workspace.worker().get(INT, at) != 0;
    }

    /** Where the first run is. */
    long first(long at) {
        return at + PAIR;
    }

    /** Where the run after {@code run} is. */
    long next(long run) {
        return run + PAIR;
    }

    /** The first slot of a run. */
    int slot(long run) {
        return workspace.worker().get(INT, run);
    }

    /** Positions of a run. */
    int length(long run) {
        return workspace.worker().get(INT, run + 4);
    }
}
