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

    /** Adds what a part gives a query to what {@code total}, the parts before it, gave. */
    void fold(MemorySegment s, long total, long part, int query) {
        float more = s.get(FLOAT, sum(part, query));
        if (more == 0) {
            return;
        }
        float sum = s.get(FLOAT, sum(total, query));
        float own = s.get(FLOAT, largest(part, query));
        if (sum == 0) {
            MemorySegment.copy(s, row(part, query), s, row(total, query), 4L * width);
            s.set(FLOAT, largest(total, query), own);
            s.set(FLOAT, sum(total, query), more);
            return;
        }
        float before = s.get(FLOAT, largest(total, query));
        float most = Math.max(before, own);
        float kept = (float) Math.exp(before - most);
        float added = (float) Math.exp(own - most);
        Softmax.scale(s, row(total, query), kept, s, row(total, query), width);
        Softmax.addScaled(s, row(part, query), added, s, row(total, query), width);
        s.set(FLOAT, largest(total, query), most);
        s.set(FLOAT, sum(total, query), Math.fma(more, added, sum * kept));
    }

    /**
     * The result of a query at {@code to}, from the total of its parts; zeros where it saw nothing.
     *
     * @param sink a score that joins the sum of weights only; minus infinity for none
     */
    void finish(MemorySegment s, long total, int query, float sink, MemorySegment out, long to) {
        float sum = s.get(FLOAT, sum(total, query));
        if (sum == 0) {
            Zeros.put(out, to, 4L * width);
            return;
        }
        float before = s.get(FLOAT, largest(total, query));
        float most = Math.max(before, sink);
        double all = sum * Math.exp(before - most) + (sink == Float.NEGATIVE_INFINITY ? 0 : Math.exp(sink - most));
        Softmax.scale(s, row(total, query), (float) (Math.exp(before - most) / all), out, to, width);
    }
}
