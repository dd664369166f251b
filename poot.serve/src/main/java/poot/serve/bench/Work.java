package poot.serve.bench;

/**
 * What a turn of a workload must do at the least, as computed from the shape.
 *
 * @param weightBytes bytes of weights read, each once a step
 * @param cacheBytes  bytes of keys and values read and written
 * @param operations  floating-point operations of the products, of the linear layers and of attention
 */
public record Work(double weightBytes, double cacheBytes, double operations) {
    /**
     * The work of a workload. A prompt reads the weights once for every {@code chunk} of its tokens, writes its keys
     * and values and, in each chunk, reads those before; the head is applied to its last token. A continuation's step
     * reads the weights once for all rows, and each row's keys and values.
     *
     * @param weightBytes bytes of all weights
     * @param cacheBytes  bytes of a cached feature
     */
    public static Work of(Workload workload, BenchShape shape, long weightBytes, double cacheBytes, int chunk) {
        double position = shape.cacheElements() * cacheBytes;
        return switch (workload) {
            case Workload.Prompt p -> {
                double chunks = Math.ceilDiv(p.tokens(), chunk);
                double looked = p.tokens() * (p.tokens() + 1.0) / 2;
                double reads = chunk * chunks * (chunks - 1) / 2;
                yield new Work(chunks * weightBytes, (p.tokens() + reads) * position, 2.0 * p.tokens() * shape.blockWeights()
                        + 2.0 * shape.headWeights() + shape.attentionOperations() * looked);
            }
            case Workload.Continuation c -> {
                double looked = (double) c.tokens() * c.context() + c.rows() * (c.each() * (c.each() + 1.0) / 2 + c.each());
                yield new Work((double) c.each() * weightBytes, (looked + c.tokens()) * position,
                        2.0 * c.tokens() * (shape.blockWeights() + shape.headWeights()) + shape.attentionOperations() * looked);
            }
        };
    }

    /** Bytes that must move. */
    public double bytes() {
        return weightBytes + cacheBytes;
    }
}
