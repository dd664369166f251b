package poot.backend.cpu.kernel.move;

import static poot.backend.cpu.kernel.Lanes.INT;

import poot.backend.cpu.kernel.Ranged;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.work.Work;

/** 0, 1, 2 … along one axis of [outer, n, inner], I32. */
public final class Counting implements Ranged {
    private final Region out;
    private final long count;
    private final int n;
    private final long inner;
    private final Work body = this::range;

    /** An axis of {@code n} with {@code inner} elements below it, {@code count} elements in all. */
    public Counting(Region out, long count, int n, long inner) {
        this.out = out;
        this.count = count;
        this.n = n;
        this.inner = inner;
    }

    @Override
    public long items() {
        return count;
    }

    @Override
    public long grain() {
        return 16384;
    }

    @Override
    public Work body() {
        return body;
    }

    private void range(int worker, long from, long to) {
        for (long i = from; i < to; i++) {
            out.segment().set(INT, out.offset() + 4 * i, (int) (i / inner % n));
        }
    }
}
