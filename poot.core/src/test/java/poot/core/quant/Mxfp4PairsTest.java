package poot.core.quant;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import poot.api.graph.Encoding;
import poot.api.graph.Shape;

/** The two-part form of MXFP4 against the one-part form of the same codes. */
class Mxfp4PairsTest {
    @Test
    void decodesWhatTheOnePartFormDecodes() {
        int rows = 3;
        int columns = 64;
        Random random = new Random(1);
        byte[] pairs = new byte[rows * columns / 2];
        byte[] exponents = new byte[rows * columns / 32];
        byte[] blocks = new byte[exponents.length * 17];
        random.nextBytes(pairs);
        random.nextBytes(exponents);
        for (int b = 0; b < exponents.length; b++) {
            blocks[17 * b] = exponents[b];
            for (int i = 0; i < 32; i++) {
                int code = pairs[16 * b + i / 2] >> 4 * (i % 2) & 15;
                blocks[17 * b + 1 + i % 16] |= (byte) (code << 4 * (i / 16));
            }
        }
        Shape shape = Shape.of(rows, columns);
        float[] expected = new float[columns];
        float[] got = new float[columns];
        for (int r = 0; r < rows; r++) {
            QuantFormats.of(Encoding.MXFP4).decode(List.of(MemorySegment.ofArray(blocks)), shape, r, 0, columns, expected, 0);
            QuantFormats.mxfp4Pairs().decode(
                    List.of(MemorySegment.ofArray(pairs), MemorySegment.ofArray(exponents)), shape, r, 0, columns, got, 0);
            assertArrayEquals(expected, got);
        }
    }
}
