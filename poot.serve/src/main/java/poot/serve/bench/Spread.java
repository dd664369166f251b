package poot.serve.bench;

import java.util.Arrays;
import java.util.List;

/** Repeated measurements of one thing, at least one, in the order taken. */
public record Spread(List<Double> values) {
    public Spread {
        values = List.copyOf(values);
        if (values.isEmpty()) {
            throw new IllegalArgumentException("no measurement");
        }
    }

    /** The middle value; of an even number, the mean of the middle two. */
    public double median() {
        double[] v = sorted();
        return (v[(v.length - 1) / 2] + v[v.length / 2]) / 2;
    }

    /** The least value. */
    public double least() {
        return sorted()[0];
    }

    /** The greatest value. */
    public double greatest() {
        return sorted()[values.size() - 1];
    }

    private double[] sorted() {
        double[] v = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(v);
        return v;
    }
}
