package poot.oracle;

import java.util.Arrays;
import poot.api.graph.Shape;

/** Row-major index arithmetic: which flat element of one tensor stands at each place of another. */
final class Strides {
    private Strides() {}

    /** Flat distance of neighbours along each axis. */
    static int[] of(Shape s) {
        int[] out = new int[s.rank()];
        int step = 1;
        for (int i = out.length - 1; i >= 0; i--) {
            out[i] = step;
            step *= s.dim(i);
        }
        return out;
    }

    /** For each place of {@code out} in row-major order: {@code offset} + the sum of coordinate · stride. */
    static int[] view(Shape out, int offset, int[] strides) {
        int[] flat = new int[Math.toIntExact(out.count())];
        int[] at = new int[out.rank()];
        int here = offset;
        for (int i = 0; i < flat.length; i++) {
            flat[i] = here;
            for (int axis = at.length - 1; axis >= 0; axis--) {
                here += strides[axis];
                if (++at[axis] < out.dim(axis)) {
                    break;
                }
                here -= strides[axis] * at[axis];
                at[axis] = 0;
            }
        }
        return flat;
    }

    /** For each place of {@code out}: the element of a {@code from}-shaped operand that stretches to it. */
    static int[] broadcast(Shape from, Shape out) {
        int[] own = of(from);
        int[] strides = new int[out.rank()];
        int shift = out.rank() - from.rank();
        for (int i = 0; i < own.length; i++) {
            strides[i + shift] = from.dim(i) == 1 ? 0 : own[i];
        }
        return view(out, 0, strides);
    }

    /** Axes exchanged: axis i of the result is axis {@code order[i]} of the operand. */
    static int[] permute(Shape from, Shape out, int[] order) {
        int[] own = of(from);
        return view(out, 0, Arrays.stream(order).map(a -> own[a]).toArray());
    }

    /** Product of the extents from {@code from} (inclusive) to {@code to} (exclusive). */
    static int product(Shape s, int from, int to) {
        return Math.toIntExact(s.slice(from, to).count());
    }
}
