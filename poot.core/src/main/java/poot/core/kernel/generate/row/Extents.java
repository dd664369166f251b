package poot.core.kernel.generate.row;

import poot.api.graph.Shape;

/** One axis of a tensor of {@code [outer, n, inner]}: {@code outer * inner} lines of {@code n} elements, {@code inner} apart. */
public record Extents(int outer, int n, int inner) {
    /** An axis of a shape; ArithmeticException beyond 2^31 elements. */
    public static Extents of(Shape s, int axis) {
        int a = s.axis(axis);
        Math.toIntExact(s.count());
        return new Extents(Math.toIntExact(s.slice(0, a).count()), s.dim(a), Math.toIntExact(s.slice(a + 1, s.rank()).count()));
    }

    /** How many lines. */
    public long lines() {
        return (long) outer * inner;
    }
}
