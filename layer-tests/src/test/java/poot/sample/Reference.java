package poot.sample;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import poot.api.driver.SamplingParams;
import poot.oracle.Philox;

/**
 * Sampling as its documentation says it, in double, one row at a time.
 *
 * @param order         candidates, likeliest first
 * @param probabilities of the candidates, 0 where a filter dropped one
 */
public record Reference(int[] order, double[] probabilities) {
    /** The distribution of the next token after a prompt and an output. */
    public static Reference of(float[] logits, SamplingParams s, int[] prompt, int[] output) {
        double[] x = adjusted(logits, s, prompt, output);
        double t = s.temperature() > 0 ? s.temperature() : 1;
        Integer[] ids = IntStream.range(0, x.length).boxed().toArray(Integer[]::new);
        Arrays.sort(ids, Comparator.comparingDouble((Integer i) -> -(float) (x[i] / t)).thenComparing(i -> i));
        double[] p = new double[x.length];
        double sum = 0;
        for (int i = 0; i < p.length; i++) {
            p[i] = Math.exp((x[ids[i]] - x[ids[0]]) / t);
            if (s.draws() && s.filters().topK() > 0 && i >= s.filters().topK()) {
                p[i] = 0;
            }
            sum += p[i];
        }
        filter(p, s, sum);
        double kept = Arrays.stream(p).sum();
        return new Reference(Arrays.stream(ids).mapToInt(i -> i).toArray(), Arrays.stream(p).map(v -> v / kept).toArray());
    }

    private static void filter(double[] p, SamplingParams s, double sum) {
        if (!s.draws()) {
            return;
        }
        double before = 0;
        double largest = p[0];
        for (int i = 0; i < p.length; i++) {
            double own = p[i];
            boolean inside = s.filters().topP() >= 1 || before < s.filters().topP() * sum;
            if (!inside || own < s.filters().minP() * largest) {
                p[i] = 0;
            }
            before += own;
        }
    }

    private static double[] adjusted(float[] logits, SamplingParams s, int[] prompt, int[] output) {
        double[] x = new double[logits.length];
        for (int t = 0; t < x.length; t++) {
            int token = t;
            x[t] = logits[t] + s.adjustment().bias().getOrDefault(t, 0f);
            long count = Arrays.stream(output).filter(o -> o == token).count();
            boolean seen = count > 0 || Arrays.stream(prompt).anyMatch(o -> o == token);
            if (seen) {
                x[t] = x[t] > 0 ? x[t] / s.adjustment().repetition() : x[t] * s.adjustment().repetition();
            }
            x[t] -= s.adjustment().presence() * (count > 0 ? 1 : 0) + s.adjustment().frequency() * count;
        }
        return x;
    }

    /** The probability of each token, by id. */
    public double[] byToken() {
        double[] out = new double[order.length];
        for (int i = 0; i < order.length; i++) {
            out[order[i]] = probabilities[i];
        }
        return out;
    }

    /** The token at a position: the likeliest, or the first by id at which the running sum passes a random share. */
    public int drawn(SamplingParams s, int position) {
        if (!s.draws()) {
            return order[0];
        }
        double[] p = byToken();
        int[] words = Philox.block(new int[] {(int) s.seed(), (int) (s.seed() >>> 32)}, new int[] {position, 0, 0, 0});
        double u = (words[0] >>> 8) * 0x1p-24;
        double until = 0;
        int t = 0;
        while (t < p.length - 1 && (until += p[t]) <= u) {
            t++;
        }
        return t;
    }

    /** The probability a token is drawn with. */
    public double of(int token) {
        return byToken()[token];
    }

}
