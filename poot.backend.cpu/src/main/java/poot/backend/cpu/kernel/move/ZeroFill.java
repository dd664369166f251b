package poot.backend.cpu.kernel.move;

import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.work.Team;

/** Zeroes a value. */
public final class ZeroFill implements Step {
    private final Region to;
    private final long bytes;

    /** Zeroes {@code bytes} bytes. */
    public ZeroFill(Region to, long bytes) {
        this.to = to;
        this.bytes = bytes;
    }

    @Override
    public void run(Team team) {
        Zeros.put(to.segment(), to.offset(), bytes);
    }
}
