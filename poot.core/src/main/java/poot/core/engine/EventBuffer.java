package poot.core.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Events between the engine's thread and a consumer. Adding never waits but for a reader taking one out. */
final class EventBuffer {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition added = lock.newCondition();
    private final Deque<Event> events = new ArrayDeque<>(4);
    private Optional<Bell> bell = Optional.empty();
    private boolean whole;
    private boolean finished;

    void add(Event event) {
        lock.lock();
        try {
            if (whole) {
                throw new IllegalStateException("an event after the last: " + event);
            }
            whole = event.last();
            events.add(event);
            added.signalAll();
            bell.ifPresent(Bell::ring);
        } finally {
            lock.unlock();
        }
    }

    /** Rings a bell at each event from now on, and at once if there are any. */
    void hang(Bell b) {
        lock.lock();
        try {
            bell = Optional.of(b);
            if (!events.isEmpty()) {
                b.ring();
            }
        } finally {
            lock.unlock();
        }
    }

    Optional<Event> next(Duration atMost) throws InterruptedException {
        long nanos = nanos(atMost);
        lock.lockInterruptibly();
        try {
            while (events.isEmpty() && !finished && nanos > 0) {
                nanos = added.awaitNanos(nanos);
            }
            Optional<Event> event = Optional.ofNullable(events.poll());
            if (event.isPresent() && event.get().last()) {
                finished = true;
                added.signalAll();
            }
            return event;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the last event was taken out. */
    boolean finished() {
        lock.lock();
        try {
            return finished;
        } finally {
            lock.unlock();
        }
    }

    private static long nanos(Duration d) {
        return d.isNegative() ? 0 : d.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0 ? Long.MAX_VALUE : d.toNanos();
    }
}
