package poot.core.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** What waits for the engine's thread: requests and rows to encode, both bounded, and what it is told to do. */
final class Intake {
    private final int mostWaiting;
    private final int mostRows;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition idle = lock.newCondition();
    private final Deque<Job> waiting = new ArrayDeque<>();
    private final Deque<EncodeJob> encodes = new ArrayDeque<>();
    private long accepted;
    private int encodeRows;
    private boolean draining;
    private boolean abandoning;
    private boolean stopping;
    private boolean resting = true;
    private Optional<String> stopped = Optional.empty();

    Intake(int mostWaiting, int mostRows) {
        this.mostWaiting = mostWaiting;
        this.mostRows = mostRows;
    }

    private interface Locked<T, E extends Exception> {
        T run() throws E;
    }

    private <T, E extends Exception> T locked(Locked<T, E> action) throws E {
        lock.lock();
        try {
            return action.run();
        } finally {
            lock.unlock();
        }
    }

    // ---- from any thread ----

    void add(Job job) throws SubmitException {
        lock.lock();
        try {
            requireTaking();
            if (waiting.size() >= mostWaiting) {
                throw new SubmitException(new SubmitFault.QueueFull(mostWaiting, waiting.size()));
            }
            waiting.add(job);
            accepted++;
            resting = false;
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    void add(EncodeJob job) throws SubmitException {
        lock.lock();
        try {
            requireTaking();
            if (job.size() > mostRows) {
                throw new SubmitException(new SubmitFault.TooManyRows(job.size(), mostRows));
            }
            if (encodeRows + job.size() > mostRows) {
                throw new SubmitException(new SubmitFault.QueueFull(mostRows, encodeRows));
            }
            encodes.add(job);
            encodeRows += job.size();
            resting = false;
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Refuses whatever is new where nothing is taken. */
    void requireOpen() throws SubmitException {
        lock.lock();
        try {
            requireTaking();
        } finally {
            lock.unlock();
        }
    }

    private void requireTaking() throws SubmitException {
        if (stopped.isPresent()) {
            throw new SubmitException(new SubmitFault.Stopped(stopped.get()));
        }
        if (draining) {
            throw new SubmitException(new SubmitFault.Draining());
        }
    }

    boolean open() {
        return locked(() -> stopped.isEmpty() && !draining);
    }

    boolean draining() {
        return locked(() -> draining);
    }

    int waiting() {
        return locked(waiting::size);
    }

    int encodeRows() {
        return locked(() -> encodeRows);
    }

    long accepted() {
        return locked(() -> accepted);
    }

    /** Takes nothing new from now on. */
    void drain() {
        locked(() -> draining = true);
    }

    /** What is not done is to end now. */
    void abandon() {
        lock.lock();
        try {
            draining = true;
            abandoning = true;
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    /** The thread is to end what there is and leave. */
    void stop() {
        lock.lock();
        try {
            draining = true;
            abandoning = true;
            stopping = true;
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until nothing is left to do; whether that came in time. */
    boolean awaitRest(long nanos) throws InterruptedException {
        long left = nanos;
        lock.lockInterruptibly();
        try {
            while (!resting && left > 0) {
                left = idle.awaitNanos(left);
            }
            return resting;
        } finally {
            lock.unlock();
        }
    }

    // ---- from the engine's thread ----

    /** Waits for something to do, unless {@code busy}; false where the thread is to leave. */
    boolean await(boolean busy) {
        lock.lock();
        try {
            while (!busy && waiting.isEmpty() && encodes.isEmpty() && !stopping) {
                resting = true;
                idle.signalAll();
                work.awaitUninterruptibly();
            }
            resting = false;
            return !stopping;
        } finally {
            lock.unlock();
        }
    }

    /** Whether everything is to end now. */
    boolean abandoning() {
        return locked(() -> abandoning);
    }

    /** The request that has waited longest. */
    Optional<Job> poll() {
        return locked(() -> Optional.ofNullable(waiting.poll()));
    }

    /** Takes out the waiting requests that fit, in order. */
    List<Job> take(Predicate<Job> fits) {
        return locked(() -> {
            List<Job> out = new ArrayList<>();
            waiting.removeIf(job -> fits.test(job) && out.add(job));
            return out;
        });
    }

    /** The encode requests there are, in order; those over are forgotten. */
    List<EncodeJob> encodes() {
        return locked(() -> {
            encodes.removeIf(job -> {
                boolean over = job.future().isDone();
                encodeRows -= over ? job.size() : 0;
                return over;
            });
            return List.copyOf(encodes);
        });
    }

    /** Nothing is taken any more, for good. */
    void stopped(String cause) {
        locked(() -> stopped = Optional.of(cause));
    }

    /** Nothing is left to do. */
    void rest() {
        lock.lock();
        try {
            resting = true;
            idle.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
