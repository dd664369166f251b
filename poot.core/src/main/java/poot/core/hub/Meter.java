package poot.core.hub;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what a pull has done, and tells its listener five times a second from a thread of its own. */
final class Meter implements AutoCloseable {
    private static final long PERIOD_MILLIS = 200;
    /** The share of the newest period in the rate shown: it follows a change in about two seconds. */
    private static final double NEWEST = 0.15;

    private final String repository;
    private final PullListener listener;
    private final AtomicLong here = new AtomicLong();
    private final AtomicLong fetched = new AtomicLong();
    private final AtomicLong verified = new AtomicLong();
    private final AtomicInteger filesDone = new AtomicInteger();
    private final ScheduledExecutorService clock;
    private volatile PullProgress.Phase phase = PullProgress.Phase.LISTING;
    private volatile long total;
    private volatile int files;
    private long lastFetched;
    private long lastNanos = System.nanoTime();
    private double rate = -1;

    Meter(String repository, PullListener listener) {
        this.repository = repository;
        this.listener = listener;
        this.clock = Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().name("hub-progress").factory());
        clock.scheduleWithFixedDelay(this::tell, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    void phase(PullProgress.Phase now) {
        phase = now;
    }

    /** Begins to fetch so many bytes in so many files. */
    synchronized void expect(long bytes, int count) {
        here.set(0);
        verified.set(0);
        filesDone.set(0);
        total = bytes;
        files = count;
        lastNanos = System.nanoTime();
        lastFetched = fetched.get();
        rate = -1;
        phase = PullProgress.Phase.FETCHING;
    }

    /** Bytes are here that did not come over the network now; negative if they are given up. */
    void found(long bytes) {
        here.addAndGet(bytes);
    }

    /** Bytes came. */
    void came(long bytes) {
        here.addAndGet(bytes);
        fetched.addAndGet(bytes);
    }

    void verified(long bytes) {
        verified.addAndGet(bytes);
    }

    void fileDone() {
        filesDone.incrementAndGet();
    }

    /** Tells the listener how far it is. */
    synchronized void tell() {
        long now = System.nanoTime();
        long all = fetched.get();
        double seconds = (now - lastNanos) / 1e9;
        if (seconds > 0.05) {
            double newest = (all - lastFetched) / seconds;
            rate = rate < 0 ? newest : rate + NEWEST * (newest - rate);
            lastNanos = now;
            lastFetched = all;
        }
        boolean verifying = phase == PullProgress.Phase.FETCHING && total > 0 && here.get() >= total && filesDone.get() < files;
        listener.progress(new PullProgress(verifying ? PullProgress.Phase.VERIFYING : phase, repository,
                verifying ? Math.min(total, verified.get()) : here.get(), all, total, Math.max(0, rate), filesDone.get(), files));
    }

    /** Stops, with a last word to the listener. */
    @Override
    public void close() {
        clock.shutdownNow();
        boolean interrupted = Thread.interrupted();
        try {
            clock.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        tell();
    }
}
