package poot.serve.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import poot.api.graph.Encoding;
import poot.api.graph.Shape;
import poot.core.quant.QuantFormats;

class RandomBlocksTest {
    private static final int ROWS = 32;

    @ParameterizedTest
    @EnumSource(names = {"F32", "F16", "BF16", "Q8_0", "Q4_0", "Q5_0", "Q5_1", "Q4_K", "Q5_K", "Q6_K", "IQ4_NL", "IQ4_XS", "MXFP4"})
    void valuesAreCentredAndOfUsualSize(Encoding encoding) {
        for (int columns : new int[] {1024, 8192}) {
            RandomBlocks blocks = new RandomBlocks(encoding, columns, 1);
            RandomBlocks again = new RandomBlocks(encoding, columns, 1);
            double sum = 0;
            double squares = 0;
            for (int i = 0; i < ROWS; i++) {
                byte[] row = blocks.row(columns);
                assertArrayEquals(row, again.row(columns), "not repeatable");
                float[] values = new float[columns];
                QuantFormats.of(encoding).decode(List.of(MemorySegment.ofArray(row)), Shape.of(1, columns), 0, 0, columns, values, 0);
                for (float v : values) {
                    sum += v;
                    squares += v * v;
                }
            }
            double usual = 1 / Math.sqrt(columns);
            double deviation = Math.sqrt(squares / ROWS / columns);
            assertEquals(0, sum / ROWS / columns, 0.05 * usual, "mean");
            // The exponents of MXFP4 come in powers of two only.
            assertEquals(1, deviation / usual, encoding == Encoding.MXFP4 ? 0.45 : 0.12, "deviation");
        }
    }

    @Test
    void otherEncodingsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new RandomBlocks(Encoding.Q2_K, 256, 1).row(256));
    }
}
