package poot.accuracy;

/**
 * How far logits lie from those they should be.
 *
 * @param positions how many rows were compared
 * @param absolute  the largest absolute difference of a logit
 * @param relative  the largest difference of a logit over the range (largest less smallest) of its row
 * @param meanKl    the mean over rows of KL(expected || actual) of the distributions, in nats
 * @param largestKl the largest of them
 */
record Divergence(int positions, double absolute, double relative, double meanKl, double largestKl) {
    /** Compares rows of logits. */
    static Divergence of(float[][] expected, float[][] actual) {
        if (expected.length != actual.length) {
            throw new IllegalArgumentException(actual.length + " rows for " + expected.length);
        }
        double absolute = 0;
        double relative = 0;
        double sum = 0;
        double largest = 0;
        for (int r = 0; r < expected.length; r++) {
            double worst = worst(expected[r], actual[r]);
            absolute = Math.max(absolute, worst);
            relative = Math.max(relative, worst / range(expected[r]));
            double kl = kl(expected[r], actual[r]);
            sum += kl;
            largest = Math.max(largest, kl);
        }
        return new Divergence(expected.length, absolute, relative, sum / expected.length, largest);
    }

    /** The worse of two, rows counted together. */
    Divergence and(Divergence other) {
        int together = positions + other.positions;
        return new Divergence(together, Math.max(absolute, other.absolute), Math.max(relative, other.relative),
                (meanKl * positions + other.meanKl * other.positions) / together, Math.max(largestKl, other.largestKl));
    }

    private static double worst(float[] expected, float[] actual) {
        double worst = 0;
        for (int i = 0; i < expected.length; i++) {
            double d = Math.abs((double) expected[i] - actual[i]);
            worst = Double.isNaN(d) ? Double.POSITIVE_INFINITY : Math.max(worst, d);
        }
        return worst;
    }

    private static double range(float[] row) {
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        for (float x : row) {
            least = Math.min(least, x);
            most = Math.max(most, x);
        }
        return most - least;
    }

    /** Σ p (log p - log q), in double; a sum of p d - p + q with d = log p - log q, no term of which is negative. */
    private static double kl(float[] expected, float[] actual) {
        double logP = logSum(expected);
        double logQ = logSum(actual);
        double sum = 0;
        for (int i = 0; i < expected.length; i++) {
            double p = expected[i] - logP;
            double d = p - (actual[i] - logQ);
            sum += Math.exp(p) * (d + Math.expm1(-d));
        }
        return Double.isNaN(sum) ? Double.POSITIVE_INFINITY : Math.max(0, sum);
    }

    private static double logSum(float[] row) {
        double most = Double.NEGATIVE_INFINITY;
        for (float x : row) {
            most = Math.max(most, x);
        }
        double sum = 0;
        for (float x : row) {
            sum += Math.exp(x - most);
        }
        return most + Math.log(sum);
    }
}
