package poot.core.kernel.decode;

import java.util.Objects;

/**
 * The rows of a stored weight that a kernel reads.
 *
 * @param firstRow the first of them, counted over all matrices
 * @param rows how many, above 0
 */
public record WeightView(StoredMatrix stored, int firstRow, int rows) {
    /** @throws IllegalArgumentException if the rows are not all there */
    public WeightView {
        Objects.requireNonNull(stored, "stored");
        if (firstRow < 0 || rows < 1 || firstRow > stored.allRows() - rows) {
            throw new IllegalArgumentException("rows " + firstRow + " and " + rows + " on of a weight of " + stored.allRows());
        }
    }

    /** All rows. */
    public static WeightView all(StoredMatrix stored) {
        return new WeightView(stored, 0, Math.toIntExact(stored.allRows()));
    }

    /** Elements of a row. */
    public int columns() {
        return stored.columns();
    }

    /** Reads the stored weight. */
    public WeightDecoder decoder() {
        return WeightDecoder.of(stored);
    }
}
