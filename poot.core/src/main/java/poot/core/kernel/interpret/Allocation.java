package poot.core.kernel.interpret;

import java.lang.foreign.Arena;

/** Memory that an interpreted device lent, in an arena of its own. */
final class Allocation {
    private final String what;
    private final long address;
    private final long bytes;
    private final Arena arena;
    private final TrackedMemory tracked;
    private final Runnable closed;

    Allocation(String what, long address, long bytes, boolean written, Runnable closed) {
        this.what = what;
        this.address = address;
        this.bytes = bytes;
        this.arena = Arena.ofShared();
        this.tracked = new TrackedMemory(what, arena.allocate(bytes, 256), written);
        this.closed = closed;
    }

    String what() {
        return what;
    }

    long address() {
        return address;
    }

    long bytes() {
        return bytes;
    }

    TrackedMemory tracked() {
        return tracked;
    }

    void close() {
        if (arena.scope().isAlive()) {
            arena.close();
            closed.run();
        }
    }
}
