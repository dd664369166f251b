package poot.backend.cpu.kernel.move;

import static poot.backend.cpu.kernel.Lanes.INT;

import java.lang.foreign.MemorySegment;
import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.work.Work;

/**
 * Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", 2011): words 4j … 4j+3 of a
 * row are the block of counter (c0, c1, j, 0) under the row's key.
 */
public final class Philox implements Step {
    private static final long EVEN = 0xD2511F53L;
    private static final long ODD = 0xCD9E8D57L;
    private static final int WEYL_0 = 0x9E3779B9;
    private static final int WEYL_1 = 0xBB67AE85;
    private static final long GRAIN = 1024;

    private final Region key;
    private final Region counter;
    private final Region out;
    private final long rows;
    private final int n;
    private final long blocks;
    private final Work body = this::range;

    /** key and counter U32 [rows, 2] to U32 [rows, n]. */
    public Philox(Region key, Region counter, Region out, long rows, int n) {
        this.key = key;
        this.counter = counter;
        this.out = out;
        this.rows = rows;
        this.n = n;
        this.blocks = Math.ceilDiv(n, 4);
    }

    @Override
    public void run(Team team) {
        team.run(body, rows * blocks, GRAIN);
    }

    private void range(int worker, long from, long to) {
        for (long i = from; i < to; i++) {
            block(i / blocks, (int) (i % blocks));
        }
    }

    private void block(long row, int j) {
        MemorySegment keys = key.segment();
        MemorySegment counters = counter.segment();
        int k0 = keys.get(INT, key.offset() + 8 * row);
        int k1 = keys.get(INT, key.offset() + 8 * row + 4);
        int c0 = counters.get(INT, counter.offset() + 8 * row);
        int c1 = counters.get(INT, counter.offset() + 8 * row + 4);
        int c2 = j;
        int c3 = 0;
        for (int round = 0; round < 10; round++) {
            long even = Integer.toUnsignedLong(c0) * EVEN;
            long odd = Integer.toUnsignedLong(c2) * ODD;
            c0 = (int) (odd >>> 32) ^ c1 ^ k0;
            c1 = (int) odd;
            c2 = (int) (even >>> 32) ^ c3 ^ k1;
            c3 = (int) even;
            k0 += WEYL_0;
            k1 += WEYL_1;
        }
        put(row, 4 * j, c0);
        put(row, 4 * j + 1, c1);
        put(row, 4 * j + 2, c2);
        put(row, 4 * j + 3, c3);
    }

    private void put(long row, int word, int bits) {
        if (word < n) {
            out.segment().set(INT, out.offset() + 4 * (row * n + word), bits);
        }
    }
}
