package poot.api.graph;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The static extents of a tensor, outermost first; a scalar has rank 0. Immutable. */
public final class Shape {
    /** The shape of a scalar. */
    public static final Shape SCALAR = new Shape(new int[0]);

    private final int[] dims;

    private Shape(int[] dims) {
        this.dims = dims;
    }

    /**
     * A shape of the given extents.
     *
     * @throws IllegalArgumentException if an extent is negative or the element count exceeds 2^60, so that its bytes can be counted
     */
    public static Shape of(int... dims) {
        long count = 1;
        for (int d : dims) {
            if (d < 0) {
                throw new IllegalArgumentException("negative extent in " + Arrays.toString(dims));
            }
            if (d != 0 && count > (1L << 60) / d) {
                throw new IllegalArgumentException("element count overflows in " + Arrays.toString(dims));
            }
            count *= d;
        }
        return dims.length == 0 ? SCALAR : new Shape(dims.clone());
    }

    /** Number of axes. */
    public int rank() {
        return dims.length;
    }

    /** Extent of an axis; a negative axis counts from the end (-1 is the last). */
    public int dim(int axis) {
        return dims[axis(axis)];
    }

    /** The axis counted from the front: -1 becomes rank-1. */
    public int axis(int axis) {
        int a = axis < 0 ? axis + dims.length : axis;
        if (a < 0 || a >= dims.length) {
            throw new IllegalArgumentException("axis " + axis + " of " + this);
        }
        return a;
    }

    /** Number of elements; 1 for a scalar. */
    public long count() {
        long n = 1;
        for (int d : dims) {
            n *= d;
        }
        return n;
    }

    /** The extents, a fresh copy. */
    public int[] dims() {
        return dims.clone();
    }

    /** This shape with one axis replaced. */
    public Shape with(int axis, int extent) {
        int[] d = dims.clone();
        d[axis(axis)] = extent;
        return of(d);
    }

    /** The extents from {@code from} (inclusive) to {@code to} (exclusive). */
    public Shape slice(int from, int to) {
        return of(Arrays.copyOfRange(dims, from, to));
    }

    /** This shape followed by another. */
    public Shape concat(Shape other) {
        int[] d = Arrays.copyOf(dims, dims.length + other.dims.length);
        System.arraycopy(other.dims, 0, d, dims.length, other.dims.length);
        return of(d);
    }

    /**
     * The common shape of two operands aligned at their last axes, where an extent of 1 stretches.
     *
     * @throws IllegalArgumentException if the extents of an axis differ and neither is 1
     */
    public static Shape broadcast(Shape a, Shape b) {
        int rank = Math.max(a.rank(), b.rank());
        int[] d = new int[rank];
        for (int i = 0; i < rank; i++) {
            int x = i < rank - a.rank() ? 1 : a.dims[i - rank + a.rank()];
            int y = i < rank - b.rank() ? 1 : b.dims[i - rank + b.rank()];
            if (x != y && x != 1 && y != 1) {
                throw new IllegalArgumentException("cannot broadcast " + a + " with " + b);
            }
            d[i] = x == 1 ? y : x;
        }
        return of(d);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Shape s && Arrays.equals(dims, s.dims);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(dims);
    }

    @Override
    public String toString() {
        return Arrays.stream(dims).mapToObj(Integer::toString).collect(Collectors.joining(", ", "[", "]"));
    }
}
