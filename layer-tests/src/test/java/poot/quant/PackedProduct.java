package poot.quant;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import poot.api.executor.Executor;
import poot.api.graph.Builder;
import poot.api.graph.ElementType;
import poot.api.graph.Graph;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.oracle.Tensor;
import poot.step.GraphRun;

/** x [T, K] times the transpose of a packed weight [N, K] on a backend. */
final class PackedProduct {
    private static final Role WEIGHT = Role.of("weight");
    private static final int GROUP = 32;

    private PackedProduct() {}

    /** The product, [T, N]. */
    static float[] of(Weight w, float[] x, int rows, Executor executor) throws Exception {
        int n = w.shape().dim(0);
        int k = w.shape().dim(1);
        Builder b = Builder.with(TraceLimits.DEFAULT);
        Value in = b.slot("x", TensorType.of(ElementType.F32, rows, k));
        b.output("y", b.matMulTransposed(in, b.weight(WEIGHT, n, k)));
        Graph graph = b.finish();
        return GraphRun.run(graph, Map.of(WEIGHT, w), Map.of("x", Tensor.f32(Shape.of(rows, k), x)), executor).get("y").floats();
    }

    /** All elements of a weight. */
    static float[] decoded(Weight w) {
        int k = w.columns();
        float[] out = new float[Math.toIntExact(w.shape().count())];
        for (int row = 0; row < w.rowCount(); row++) {
            w.decode(row, 0, k, out, row * k);
        }
        return out;
    }

    /** Checks a product of 1 and of 7 rows against the decoded weight, accumulated in double. */
    static void check(String what, Weight w, float[] x, Executor executor) throws Exception {
        int k = w.columns();
        float[] dense = decoded(w);
        for (int rows : new int[] {1, 7}) {
            float[] xs = new float[rows * k];
            for (int i = 0; i < xs.length; i++) {
                xs[i] = x[(i + 13 * (i / k)) % k];
            }
            float[] y = of(w, xs, rows, executor);
            for (int i = 0; i < y.length; i++) {
                int row = i % w.shape().dim(0);
                near(what + " " + rows + " rows, element " + i, dense, row * k, xs, i / w.shape().dim(0) * k, k, y[i]);
            }
        }
    }

    /** One element: within 1e-3 of itself, or of rounding where the terms cancel. */
    private static void near(String what, float[] w, int at, float[] x, int from, int k, float actual) {
        double sum = 0;
        for (int j = 0; j < k; j++) {
            sum += (double) w[at + j] * x[from + j];
        }
        double allowed = 1e-3 * Math.abs(sum) + rounding(w, at, x, from, k);
        double d = Math.abs(sum - actual);
        assertTrue(d <= allowed || allowed == 0 && actual == 0, what + ": " + actual + ", not " + sum);
    }

    /**
     * How far a sum of products may be off: 1e-6 of the terms' magnitude for F32, and for activations of 16 bits half a
     * unit of each, which is 1/65534 of the largest among the 32 that share a scale.
     */
    static double rounding(float[] w, int at, float[] x, int from, int k) {
        double allowed = 0;
        for (int group = 0; group < k; group += GROUP) {
            double weights = 0;
            double largest = 0;
            for (int j = group; j < Math.min(k, group + GROUP); j++) {
                allowed += 1e-6 * Math.abs((double) w[at + j] * x[from + j]);
                weights += Math.abs(w[at + j]);
                largest = Math.max(largest, Math.abs(x[from + j]));
            }
            allowed += weights * largest / 65534;
        }
        return allowed;
    }
}
