package poot.backend.cpu.kernel.weight;

import static poot.backend.cpu.kernel.Lanes.FLOAT;

import java.lang.foreign.MemorySegment;

/**
 * One or several vectors of {@code n} F32 that rows are multiplied with: where they lie in memory, a copy in an array,
 * and the sums of each {@link #SUMMED} elements.
 */
public final class Activations {
    /** Elements between two sums. */
    public static final int SUMMED = 32;

    private final int n;
    private final float[] values;
    private final float[] sums;
    private MemorySegment segment = MemorySegment.NULL;
    private final long[] at;

    /** Room for {@code count} vectors of {@code n}; the copy is kept only if {@code copied}. */
    public Activations(int n, int count, boolean copied) {
        this.n = n;
        this.values = new float[copied ? Math.multiplyExact(n, count) : 0];
        this.sums = new float[copied ? Math.multiplyExact(Math.ceilDiv(n, SUMMED), count) : 0];
        this.at = new long[count];
    }

    /** Vector {@code index} lies from byte {@code from} of {@code s} on. */
    public void take(int index, MemorySegment s, long from) {
        segment = s;
        at[index] = from;
        if (values.length == 0) {
            return;
        }
        int first = index * n;
        MemorySegment.copy(s, FLOAT, from, values, first, n);
        for (int i = 0; i < n; i += SUMMED) {
            float sum = 0;
            for (int j = i; j < Math.min(n, i + SUMMED); j++) {
                sum += values[first + j];
            }
            sums[index * Math.ceilDiv(n, SUMMED) + i / SUMMED] = sum;
        }
    }

    /** Elements of a vector. */
    int n() {
        return n;
    }

    MemorySegment segment() {
        return segment;
    }

    long at(int index) {
        return at[index];
    }

    float[] values() {
        return values;
    }

    int valuesAt(int index) {
        return index * n;
    }

    float[] sums() {
        return sums;
    }

    int sumsAt(int index) {
        return index * Math.ceilDiv(n, SUMMED);
    }
}
