package poot.serve.metrics;

import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts by labels; the caller's labels are of a fixed set, so that their number is bounded. */
final class LabelledCounter {
    private final ConcurrentMap<String, LongAdder> counts = new ConcurrentHashMap<>();

    void add(String labels, long n) {
        counts.computeIfAbsent(labels, l -> new LongAdder()).add(n);
    }

    void write(Exposition out, String name, String help) {
        out.head(name, help, "counter");
        new TreeMap<>(counts).forEach((labels, n) -> out.value(name, labels, n.sum()));
    }
}
