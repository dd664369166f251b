package poot.backend.cpu.work;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Persistent workers; the caller is worker 0. A range is split evenly; a worker that finishes its share takes grains
 * from the tails of the others'. Between ranges a worker spins for a while, then parks. One thread drives the team at a
 * time: it holds the team between {@link #acquire} and {@link #release}.
 */
public final class Team implements AutoCloseable {
    /** Nanoseconds a worker spins before it parks: longer than what one worker does alone between two kernels. */
    private static final long SPIN = 200_000;
    /**
     * Looks between two pauses. A virtual machine may take a processor away that does nothing but pause, so pauses lie
     * further apart than it counts together.
     */
    private static final int LOOKS = 64;
    /** Cursors a cache line apart. */
    private static final int STRIDE = 16;

    private final int size;
    private final Thread[] helpers;
    private final ReentrantLock drivers = new ReentrantLock();
    private final AtomicLongArray cursors;
    private final long[] ends;
    private final AtomicIntegerArray parked;
    private final AtomicInteger round = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private volatile Thread waiting;
    private volatile Throwable failure;
    private volatile boolean closed;
    private Work work;
    private long grain;

    /** Starts {@code size - 1} daemon threads; where the system refuses one of them, none is left. */
    public Team(int size) {
        this.size = size;
        this.cursors = new AtomicLongArray(size * STRIDE);
        this.ends = new long[size];
        this.parked = new AtomicIntegerArray(size);
        this.helpers = new Thread[size];
        boolean started = false;
        try {
            for (int i = 1; i < size; i++) {
                int worker = i;
                helpers[i] = Thread.ofPlatform().daemon().name("poot-cpu-" + i).start(() -> serve(worker));
            }
            started = true;
        } finally {
            if (!started) {
                close();
            }
        }
    }

    /** Workers, the caller included. */
    public int size() {
        return size;
    }

    /** One of the threads that do the work, other than the caller where there is another. */
    public Thread worker() {
        return size > 1 ? helpers[1] : Thread.currentThread();
    }

    /** Waits until the calling thread may drive the team. */
    public void acquire() {
        drivers.lock();
    }

    /** Lets another thread drive the team. */
    public void release() {
        drivers.unlock();
    }

    /** Runs all of {@code [0, items)} and returns when it is done; ranges of at most {@code grain} are not split. */
    public void run(Work body, long items, long grainItems) {
        if (items <= 0) {
            return;
        }
        if (closed) {
            throw new IllegalStateException("the team is closed");
        }
        if (size == 1 || items <= grainItems) {
            body.run(0, 0, items);
            return;
        }
        work = body;
        grain = grainItems;
        for (int i = 0; i < size; i++) {
            cursors.set(i * STRIDE, items * i / size);
            ends[i] = items * (i + 1) / size;
        }
        failure = null;
        running.set(size - 1);
        round.incrementAndGet();
        for (int i = 1; i < size; i++) {
            if (parked.get(i) != 0) {
                LockSupport.unpark(helpers[i]);
            }
        }
        try {
            drain(0);
        } finally {
            join();
        }
        rethrow();
    }

    private void rethrow() {
        switch (failure) {
            case null -> { }
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException("worker failed", e);
        }
    }

    private void join() {
        long from = System.nanoTime();
        while (running.get() > 0 && System.nanoTime() - from < SPIN) {
            for (int i = 0; i < LOOKS && running.get() > 0; i++) { }
            Thread.onSpinWait();
        }
        if (running.get() > 0) {
            waiting = Thread.currentThread();
            while (running.get() > 0) {
                LockSupport.park(this);
            }
            waiting = null;
        }
    }

    private void drain(int self) {
        for (int i = 0; i < size; i++) {
            int share = self + i < size ? self + i : self + i - size;
            long end = ends[share];
            for (long from = cursors.getAndAdd(share * STRIDE, grain); from < end;
                    from = cursors.getAndAdd(share * STRIDE, grain)) {
                work.run(self, from, Math.min(from + grain, end));
            }
        }
    }

    private void serve(int self) {
        int seen = 0;
        while (true) {
            awaitRound(self, seen);
            seen++;
            if (closed) {
                return;
            }
            try {
                drain(self);
            } catch (RuntimeException | Error e) {
                failure = e;
            }
            if (running.decrementAndGet() == 0) {
                Thread caller = waiting;
                if (caller != null) {
                    LockSupport.unpark(caller);
                }
            }
        }
    }

    private void awaitRound(int self, int seen) {
        long from = System.nanoTime();
        while (round.get() == seen && System.nanoTime() - from < SPIN) {
            for (int i = 0; i < LOOKS && round.get() == seen; i++) { }
            Thread.onSpinWait();
        }
        while (round.get() == seen) {
            parked.set(self, 1);
            if (round.get() == seen) {
                LockSupport.park(this);
            }
            parked.set(self, 0);
        }
    }

    /** Ends the workers, when whoever drives the team is done. */
    @Override
    public void close() {
        acquire();
        try {
            closed = true;
            round.incrementAndGet();
            for (int i = 1; i < size; i++) {
                LockSupport.unpark(helpers[i]);
            }
        } finally {
            release();
        }
    }
}
