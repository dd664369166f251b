package poot.serve.web;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A bucket of requests for every caller, refilled evenly; the callers longest unseen are forgotten. */
final class Rates {
    private static final int CALLERS = 4096;
    private static final double MINUTE = 60e9;

    private final int perMinute;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > CALLERS;
        }
    };

    private record Bucket(double left, long at) {}

    /** Buckets of {@code perMinute} requests; 0 for any number. */
    Rates(int perMinute) {
        this.perMinute = perMinute;
    }

    /** Takes one request of a caller's; how long to wait where there is none left. */
    synchronized Optional<Duration> take(String caller) {
        if (perMinute == 0) {
            return Optional.empty();
        }
        long now = System.nanoTime();
        Bucket before = buckets.getOrDefault(caller, new Bucket(perMinute, now));
        double left = Math.min(perMinute, before.left() + (now - before.at()) / MINUTE * perMinute);
        buckets.put(caller, new Bucket(left >= 1 ? left - 1 : left, now));
        return left >= 1 ? Optional.empty() : Optional.of(Duration.ofNanos((long) ((1 - left) * MINUTE / perMinute)));
    }
}
