package poot.api.graph;

import java.util.Objects;

/**
 * The scales of a weight whose format keeps them in a part of their own: one for each rectangle of a matrix. In their part
 * and in that of the zero points a row of the part is a row of rectangles of the encoding's own orientation; see
 * {@link Encoding} for where the parts stand.
 *
 * @param rows    rows of the matrix that share a scale; {@link #ALL} where all do
 * @param columns columns that share a scale; {@link #ALL} where all do. The last rectangles may be cut short
 * @param element how the scales are stored: F32, F16 or BF16
 * @param zero    what is added to each stored zero point, where there are zero points
 * @param ordered whether a last part names the rectangle of every column, in place of its position
 */
public record Scales(int rows, int columns, ElementType element, int zero, boolean ordered) {
    /** As many as there are. */
    public static final int ALL = Integer.MAX_VALUE;

    /** @throws IllegalArgumentException if an extent is not positive or the element no float */
    public Scales {
        Objects.requireNonNull(element);
        if (rows < 1 || columns < 1 || !element.isFloat()) {
            throw new IllegalArgumentException("scales of type " + element + " for " + rows + " x " + columns);
        }
    }

    /** Scales without zero points or an order. */
    public Scales(int rows, int columns, ElementType element) {
        this(rows, columns, element, 0, false);
    }
}
