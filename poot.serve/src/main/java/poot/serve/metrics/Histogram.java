package poot.serve.metrics;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.DoubleAdder;

/** Counts values by upper bounds. */
final class Histogram {
    private final double[] bounds;
    /** By the first bound that is not below the value; the last for none. */
    private final AtomicLongArray counts;
    private final DoubleAdder sum = new DoubleAdder();

    Histogram(double... bounds) {
        this.bounds = bounds.clone();
        this.counts = new AtomicLongArray(bounds.length + 1);
    }

    void add(double value) {
        int i = 0;
        while (i < bounds.length && value > bounds[i]) {
            i++;
        }
        counts.incrementAndGet(i);
        sum.add(value);
    }

    void write(Exposition out, String name, String help) {
        out.head(name, help, "histogram");
        long total = 0;
        for (int i = 0; i < bounds.length; i++) {
            total += counts.get(i);
            out.value(name + "_bucket", "le=\"" + Exposition.number(bounds[i]) + "\"", total);
        }
        total += counts.get(bounds.length);
        out.value(name + "_bucket", "le=\"+Inf\"", total);
        out.value(name + "_sum", "", sum.sum());
        out.value(name + "_count", "", total);
    }
}
