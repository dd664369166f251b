package poot.core.quant;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import poot.api.graph.ElementType;
import poot.api.graph.Format;
import poot.api.graph.Shape;

/** What {@link Fp8Packer} writes decodes to within the documented errors. */
class Fp8PackerTest {
    private static final int ROWS = 37;
    private static final int COLUMNS = 50;

    @Test
    void elementsAreTheNearest() {
        for (float size : new float[] {1e-6f, 1, 1e30f}) {
            float[] matrix = random(size);
            check(matrix, Fp8Packer.channel(matrix, ROWS, COLUMNS), QuantFormats.fp8Channel(ElementType.F32), 1, COLUMNS);
            check(matrix, Fp8Packer.block(matrix, ROWS, COLUMNS, 16, 24), QuantFormats.fp8Block(16, 24, ElementType.F32), 16, 24);
        }
    }

    private static void check(float[] matrix, Fp8Packer packed, Format format, int blockRows, int blockColumns) {
        float[] back = decode(packed, format);
        for (int i = 0; i < matrix.length; i++) {
            int block = i / COLUMNS / blockRows * Math.ceilDiv(COLUMNS, blockColumns) + i % COLUMNS / blockColumns;
            float allowed = Math.max(Math.abs(matrix[i]) / 16, packed.multipliers()[block] / 1024) * 1.0001f;
            assertEquals(matrix[i], back[i], allowed);
        }
    }

    @Test
    void everyElementIsExact() {
        float[] matrix = new float[256];
        for (int i = 0; i < 256; i++) {
            matrix[i] = (i & 0x7F) == 0x7F ? 0 : Fp8.E4M3[i] * 0.375f;
        }
        Fp8Packer packed = Fp8Packer.channel(matrix, 1, 256);
        assertArrayEquals(new float[] {0.375f}, packed.multipliers());
        for (int i = 0; i < 256; i++) {
            assertEquals(matrix[i], Fp8.E4M3[packed.elements()[i] & 0xFF] * 0.375f);
        }
        float tie = (Fp8.E4M3[0x48] + Fp8.E4M3[0x49]) / 2;
        assertEquals(0x48, Fp8Packer.channel(new float[] {448, tie}, 1, 2).elements()[1], "ties go to even");
    }

    @Test
    void onlyNanStaysNan() {
        float[] matrix = {1, Float.NaN, Float.NEGATIVE_INFINITY, 0};
        Fp8Packer packed = Fp8Packer.channel(matrix, 2, 2);
        assertEquals(448, Fp8.E4M3[packed.elements()[0] & 0xFF]);
        assertTrue(Float.isNaN(Fp8.E4M3[packed.elements()[1] & 0xFF]));
        assertEquals(-448, Fp8.E4M3[packed.elements()[2] & 0xFF]);
        assertEquals(0, packed.elements()[3]);
        assertArrayEquals(new byte[4], Fp8Packer.channel(new float[4], 2, 2).elements());
        assertThrows(IllegalArgumentException.class, () -> Fp8Packer.channel(matrix, 2, 3));
        assertThrows(IllegalArgumentException.class, () -> Fp8Packer.block(matrix, 2, 2, 0, 1));
    }

    private static float[] decode(Fp8Packer packed, Format format) {
        float[] out = new float[ROWS * COLUMNS];
        MemorySegment scales = MemorySegment.ofArray(packed.multipliers());
        List<MemorySegment> parts = List.of(MemorySegment.ofArray(packed.elements()), scales);
        for (int row = 0; row < ROWS; row++) {
            format.decode(parts, Shape.of(ROWS, COLUMNS), row, 0, COLUMNS, out, row * COLUMNS);
        }
        return out;
    }

    private static float[] random(float size) {
        Random random = new Random(5);
        float[] out = new float[ROWS * COLUMNS];
        for (int i = 0; i < out.length; i++) {
            out[i] = (float) (random.nextGaussian() * random.nextDouble()) * size;
        }
        return out;
    }
}
