package poot.core.quant;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.List;
import poot.api.graph.Format;
import poot.api.graph.Shape;

/** Parts of multi-part formats built from plain arrays, and the check every such format passes. */
final class TestParts {
    static MemorySegment ints(int... values) {
        byte[] bytes = new byte[4 * values.length];
        for (int i = 0; i < values.length; i++) {
            Fields.putInt(bytes, 4 * i, values[i]);
        }
        return MemorySegment.ofArray(bytes);
    }

    static MemorySegment floats(float... values) {
        int[] bits = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            bits[i] = Float.floatToRawIntBits(values[i]);
        }
        return ints(bits);
    }

    /** Every row, whole and in runs of one block, decodes to the given values and leaves its neighbours alone. */
    static void assertDecodes(float[] expected, Format format, List<MemorySegment> parts, Shape stored) {
        int columns = stored.dim(-1);
        int step = format.encoding().blockElements();
        for (int row = 0; row < expected.length / columns; row++) {
            float[] whole = new float[columns + 2];
            format.decode(parts, stored, row, 0, columns, whole, 1);
            float[] pieces = new float[columns + 2];
            for (int c = 0; c < columns; c += step) {
                format.decode(parts, stored, row, c, step, pieces, 1 + c);
            }
            for (int i = 0; i < columns; i++) {
                String where = format + " row " + row + " column " + i;
                assertEquals(expected[row * columns + i], whole[1 + i], where);
                assertEquals(expected[row * columns + i], pieces[1 + i], where);
            }
            assertEquals(0f, whole[0] + whole[columns + 1] + pieces[0] + pieces[columns + 1]);
        }
    }

    private TestParts() {
    }
}
