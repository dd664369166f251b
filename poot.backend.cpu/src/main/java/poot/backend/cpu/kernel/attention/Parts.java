package poot.backend.cpu.kernel.attention;

import static poot.backend.cpu.kernel.Lanes.FLOAT;

import java.lang.foreign.MemorySegment;
import poot.backend.cpu.kernel.move.Zeros;
import poot.backend.cpu.x86.attention.Weights;

/**
 * How the part of a result lies that some positions give: accumulators [queries, width], then the largest score and the
 * sum of weights of each query. The sum of a query that saw nothing is 0.
 *
 * @param queries queries of a part
 * @param width   features of a value
 */
record Parts(int queries, int width) {
    /** The largest score before any is seen: below all, so that accumulated weights are rescaled by 0. */
    private static final float NOTHING = Weights.NOTHING;

    /** Bytes of a part. */
    long bytes() {
        return 4L * queries * (width + 2);
    }

    /** Where the accumulators of a query lie in the part at {@code part}. */
    long row(long part, int query) {
        return part + 4L * query * width;
    }

    /** Where the largest score of a query lies. */
    long largest(long part, int query) {
        return part + 4L * ((long) queries * width + query);
    }

    /** Where the sum of the weights of a query lies. */
    long sum(long part, int query) {
        return part + 4L * ((long) queries * (width + 1) + query);
    }

    /** Nothing seen. */
    void clear(MemorySegment s, long part) {
        for (int i = 0; i < queries; i++) {
            s.set(FLOAT, largest(part, i), NOTHING);
            s.set(FLOAT, sum(part, i), 0f);
        }
    }

    /** Zeroes the accumulators. */
    void begin(MemorySegment s, long part) {
        Zeros.put(s, part, 4L * queries * width);
    }

    /** Adds weights with their largest score to a query's, after what was accumulated is rescaled to a new largest score. */
    void grow(MemorySegment s, long part, int query, float most, float weights) {
        float before = s.get(FLOAT, largest(part, query));
        float sum = s.get(FLOAT, sum(part, query));
        if (most != before) {
            float factor = (float) Math.exp(before - most);
            sum *= factor;
            Softmax.scale(s, row(part, query), factor, s, row(part, query), width);
            s.set(FLOAT, largest(part, query), most);
        }
        s.set(FLOAT, sum(part, query), sum + weights);
    }

    /**
     * Joins {@code count} neighbouring parts of a query, in their order, to its result at {@code to}.
     *
     * @param sink a score that joins the sum of weights only; minus infinity for none
     */
    void join(MemorySegment s, long first, int count, int query, float sink, MemorySegment out, long to) {
        float most = NOTHING;
        boolean nothing = true;
        for (int i = 0; i < count; i++) {
            most = Math.max(most, s.get(FLOAT, largest(first + i * bytes(), query)));
            nothing &= s.get(FLOAT, sum(first + i * bytes(), query)) == 0;
        }
        if (nothing) {
            Zeros.put(out, to, 4L * width);
            return;
        }
        most = Math.max(most, sink);
        double sum = sink == Float.NEGATIVE_INFINITY ? 0 : Math.exp(sink - most);
        for (int i = 0; i < count; i++) {
            long part = first + i * bytes();
            sum += s.get(FLOAT, sum(part, query)) * Math.exp(s.get(FLOAT, largest(part, query)) - most);
        }
        boolean begun = false;
        for (int i = 0; i < count; i++) {
            long part = first + i * bytes();
            if (s.get(FLOAT, sum(part, query)) == 0) {
                continue;
            }
            float factor = (float) (Math.exp(s.get(FLOAT, largest(part, query)) - most) / sum);
            if (begun) {
                Softmax.addScaled(s, row(part, query), factor, out, to, width);
            } else {
                Softmax.scale(s, row(part, query), factor, out, to, width);
                begun = true;
            }
        }
    }
}
