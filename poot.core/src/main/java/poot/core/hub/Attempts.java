package poot.core.hub;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Counts attempts of one request that failed in a row, and waits before the next: longer each time, or as the server asks. */
final class Attempts {
    private static final Duration LONGEST = Duration.ofSeconds(20);
    /** What a server may ask to wait; for more the request is given up. */
    static final Duration LONGEST_ASKED = Duration.ofMinutes(2);

    /** Attempts to connect for the first request. */
    private static final int UNCONNECTED = 3;

    private final String repository;
    private final HubOptions options;
    private final boolean first;
    private int failures;

    /** @param first true for the first request of a pull: where nothing answers at all, the person is told soon */
    Attempts(String repository, HubOptions options, boolean first) {
        this.repository = repository;
        this.options = options;
        this.first = first;
    }

    /** Something came; failures are counted anew. */
    void progressed() {
        failures = 0;
    }

    /** Waits before another attempt, or gives up. */
    void failed(TransientException e) throws HubException {
        if (++failures >= (first && e.isUnconnected() ? Math.min(UNCONNECTED, options.attempts()) : options.attempts())) {
            throw new HubException(e.fault(), e);
        }
        long own = Math.min(LONGEST.toMillis(), options.backoff().toMillis() << Math.min(failures - 1, 16));
        long millis = Math.max(e.asked().toMillis(), own == 0 ? 0 : own / 2 + ThreadLocalRandom.current().nextLong(own / 2 + 1));
        try {
            Thread.sleep(millis);
        } catch (InterruptedException i) {
            Thread.currentThread().interrupt();
            throw new HubException(new HubFault.Interrupted(repository), i);
        }
    }
}
