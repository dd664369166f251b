package poot.core.engine;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes a consumer of several tickets: each event of a ticket it {@linkplain Ticket#hang hangs} on rings it. Rings that
 * come while nobody waits are one ring, and none is lost. Ringing never waits. Safe for use by several threads; one waits.
 */
public final class Bell {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ringing = lock.newCondition();
    private boolean rung;

    /** A bell that hangs nowhere. */
    public Bell() {}

    void ring() {
        lock.lock();
        try {
            rung = true;
            ringing.signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a ring that no earlier call has returned for.
     *
     * @param atMost how long to wait; zero does not wait
     * @return whether it rang
     * @throws InterruptedException if the thread was interrupted while it waited; no ring is lost
     */
    public boolean await(Duration atMost) throws InterruptedException {
        long nanos = atMost.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0 ? Long.MAX_VALUE : atMost.toNanos();
        lock.lockInterruptibly();
        try {
            while (!rung && nanos > 0) {
                nanos = ringing.awaitNanos(nanos);
            }
            boolean was = rung;
            rung = false;
            return was;
        } finally {
            lock.unlock();
        }
    }
}
