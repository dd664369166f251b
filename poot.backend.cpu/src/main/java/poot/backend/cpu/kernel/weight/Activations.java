package poot.backend.cpu.kernel.weight;

import static poot.backend.cpu.kernel.Lanes.FLOAT;

import java.lang.foreign.MemorySegment;

/**
 * One or several vectors of {@code n} F32 that rows are multiplied with: where they lie in memory, and a copy in an array.
 */
public final class Activations {
    private final int n;
    private final float[] values;
    private MemorySegment segment = MemorySegment.NULL;
    private final long[] at;

    /** Room for {@code count} vectors of {@code n}; the copy is kept only if {@code copied}. */
    public Activations(int n, int count, boolean copied) {
        this.n = n;
        this.values = new float[copied ? Math.multiplyExact(n, count) : 0];
        this.at = new long[count];
    }

    /** Vector {@code index} lies from byte {@code from} of {@code s} on. */
    public void take(int index, MemorySegment s, long from) {
        segment = s;
        at[index] = from;
        if (values.length > 0) {
            MemorySegment.copy(s, FLOAT, from, values, index * n, n);
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
}
