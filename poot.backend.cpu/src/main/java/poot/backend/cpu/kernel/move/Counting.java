package poot.backend.cpu.kernel.move;

import static poot.backend.cpu.kernel.Lanes.INT;

import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.work.Team;

/** 0, 1, 2 … along one axis of [outer, n, inner], I32. */
public final class Counting implements Step {
    private final Region out;
    private final long count;
    private final int n;
    private final long inner;

    /** An axis of {@code n} with {@code inner} elements below it, {@code count} elements in all. */
    public Counting(Region out, long count, int n, long inner) {
        this.out = out;
        this.count = count;
        this.n = n;
        this.inner = inner;
    }

    @Override
    public void run(Team team) {
        for (long i = 0; i < count; i++) {
            out.segment().set(INT, out.offset() + 4 * i, (int) (i / inner % n));
        }
    }
}
