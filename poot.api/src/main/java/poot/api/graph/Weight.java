package poot.api.graph;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/**
 * A stored weight, or a range of its rows, as it lies in the checkpoint: never decoded.
 *
 * @param name     the checkpoint's tensor name, for messages
 * @param format   what the bytes mean
 * @param stored   the logical shape of the whole stored tensor, outermost first; the last axis is the row
 * @param parts    the mapped bytes; owned by the weight store, valid until it closes
 * @param firstRow the first row of this view, counted over the flattened leading axes
 * @param firstColumn the first column of this view: 0 except for a range of a vector
 * @param shape    the shape of this view
 */
public record Weight(
        String name, Format format, Shape stored, List<MemorySegment> parts, long firstRow, int firstColumn, Shape shape) {
    public Weight {
        Objects.requireNonNull(name);
        Objects.requireNonNull(format);
        parts = List.copyOf(parts);
    }

    /** A whole stored tensor. */
    public static Weight whole(String name, Format format, Shape shape, List<MemorySegment> parts) {
        return new Weight(name, format, shape, parts, 0, 0, shape);
    }

    /** The rows (of a vector: elements) {@code from} (inclusive) to {@code to} (exclusive) along the first axis. */
    public Weight rows(int from, int to) {
        if (from < 0 || to > shape.dim(0) || from >= to) {
            throw new IllegalArgumentException("rows " + from + ".." + to + " of " + name + " " + shape);
        }
        Shape part = shape.with(0, to - from);
        if (shape.rank() == 1) {
            return new Weight(name, format, stored, parts, firstRow, firstColumn + from, part);
        }
        long per = rowCount(shape) / shape.dim(0);
        return new Weight(name, format, stored, parts, firstRow + from * per, firstColumn, part);
    }

    /** Elements of one stored row: the extent of the last axis. */
    public int columns() {
        return stored.dim(-1);
    }

    /** Rows of this view over its flattened leading axes; a vector counts as one row. */
    public long rowCount() {
        return rowCount(shape);
    }

    private static long rowCount(Shape s) {
        return s.rank() < 2 ? 1 : s.count() / s.dim(-1);
    }

    /** Decodes {@code count} elements of one row of this view to F32; see {@link Format#decode}. */
    public void decode(long row, int column, int count, float[] out, int at) {
        format.decode(parts, stored, firstRow + row, firstColumn + column, count, out, at);
    }
}
