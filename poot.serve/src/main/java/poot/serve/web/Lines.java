package poot.serve.web;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Every line in use, looked at four times a second for deadlines that have passed. */
final class Lines implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofMillis(250);

    private final Set<Line> all = ConcurrentHashMap.newKeySet();
    private final Thread looker = Thread.ofVirtual().name("lines").unstarted(this::look);

    /** Starts looking. */
    Lines() {
        looker.start();
    }

    void add(Line line) {
        all.add(line);
    }

    void remove(Line line) {
        all.remove(line);
    }

    /** How many. */
    int size() {
        return all.size();
    }

    private void look() {
        try {
            while (true) {
                Thread.sleep(PERIOD);
                long now = System.nanoTime();
                all.forEach(l -> l.look(now));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops looking, and cuts what is left. */
    @Override
    public void close() {
        looker.interrupt();
        all.forEach(Line::cut);
    }
}
