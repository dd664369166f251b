package poot.backend.cpu.kernel.row;

import poot.api.graph.Shape;

/**
 * One axis of a dense tensor: {@code outer} times {@code n} elements that lie {@code inner} elements apart.
 */
public record Axis(long outer, int n, long inner) {
    /** The axis of a shape. */
    public static Axis of(Shape s, int axis) {
        return new Axis(s.slice(0, axis).count(), s.dim(axis), s.slice(axis + 1, s.rank()).count());
    }

    /** Number of lines along the axis. */
    public long lines() {
        return outer * inner;
    }

    /** The first element of a line. */
    public long first(long line) {
        return line / inner * n * inner + line % inner;
    }
}
