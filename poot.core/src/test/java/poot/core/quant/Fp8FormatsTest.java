package poot.core.quant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import poot.api.graph.ElementType;
import poot.api.graph.Shape;

/** FP8 with scales per row, tensor and rectangle. */
class Fp8FormatsTest {
    /** The values of the OCP 8-bit floating point specification, table 2, and some between. */
    @Test
    void e4m3IsTheSpecifications() {
        assertEquals(448f, Fp8.E4M3[0x7E]);
        assertEquals(-448f, Fp8.E4M3[0xFE]);
        assertEquals(0x1p-6f, Fp8.E4M3[0x08]);
        assertEquals(0x1p-9f, Fp8.E4M3[0x01]);
        assertEquals(7 * 0x1p-9f, Fp8.E4M3[0x07]);
        assertEquals(1f, Fp8.E4M3[0x38]);
        assertEquals(1.125f, Fp8.E4M3[0x39]);
        assertEquals(-2f, Fp8.E4M3[0xC0]);
        assertEquals(256f, Fp8.E4M3[0x78]);
        assertEquals(0f, Fp8.E4M3[0x00]);
        assertEquals(Float.floatToRawIntBits(-0f), Float.floatToRawIntBits(Fp8.E4M3[0x80]));
        assertTrue(Float.isNaN(Fp8.E4M3[0x7F]) && Float.isNaN(Fp8.E4M3[0xFF]));
        for (int i = 1; i < 0x7F; i++) {
            assertTrue(Fp8.E4M3[i] > Fp8.E4M3[i - 1], "codes are in order");
            assertEquals(-Fp8.E4M3[i], Fp8.E4M3[i | 0x80]);
        }
    }

    @Test
    void scalesByRow() {
        int rows = 5;
        int columns = 33;
        byte[] weight = codes(rows * columns);
        float[] scales = {1, 0.5f, -3, 0.25f, 7};
        float[] expected = new float[rows * columns];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = Fp8.E4M3[weight[i] & 0xFF] * scales[i / columns];
        }
        Shape stored = Shape.of(rows, columns);
        MemorySegment bytes = MemorySegment.ofArray(weight);
        for (Packer half : new Packer[] {Packer.F16, Packer.BF16}) {
            List<MemorySegment> parts = List.of(bytes, MemorySegment.ofArray(half.pack(scales)));
            TestParts.assertDecodes(expected, new Fp8Channel(half.encoding().element()), parts, stored);
        }
        List<MemorySegment> parts = List.of(bytes, TestParts.floats(scales));
        TestParts.assertDecodes(expected, new Fp8Channel(ElementType.F32), parts, stored);
    }

    @Test
    void scalesByTensor() {
        byte[] weight = codes(4 * 9000);
        float[] expected = new float[weight.length];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = Fp8.E4M3[weight[i] & 0xFF] * 0.75f;
        }
        List<MemorySegment> parts = List.of(MemorySegment.ofArray(weight), TestParts.floats(0.75f));
        TestParts.assertDecodes(expected, new Fp8Channel(ElementType.F32), parts, Shape.of(4, 9000));
    }

    @Test
    void scalesByRectangleWithRaggedEdges() {
        int matrices = 3;
        int rows = 10;
        int columns = 21;
        int blockRows = 4;
        int blockColumns = 8;
        byte[] weight = codes(matrices * rows * columns);
        float[] scales = new float[matrices * 3 * 3];
        for (int i = 0; i < scales.length; i++) {
            scales[i] = i + 1;
        }
        float[] expected = new float[weight.length];
        for (int i = 0; i < expected.length; i++) {
            int m = i / (rows * columns);
            int r = i / columns % rows;
            int c = i % columns;
            expected[i] = Fp8.E4M3[weight[i] & 0xFF] * scales[m * 9 + r / blockRows * 3 + c / blockColumns];
        }
        List<MemorySegment> parts = List.of(MemorySegment.ofArray(weight), TestParts.floats(scales));
        Fp8Block format = new Fp8Block(blockRows, blockColumns, ElementType.F32);
        TestParts.assertDecodes(expected, format, parts, Shape.of(matrices, rows, columns));
    }

    @Test
    void scalesThatAreNotFiniteAreValues() {
        List<MemorySegment> parts = List.of(MemorySegment.ofArray(new byte[] {0x38, 0x38, (byte) 0xB8}),
                TestParts.floats(Float.NaN, Float.POSITIVE_INFINITY, Float.POSITIVE_INFINITY));
        float[] expected = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY};
        TestParts.assertDecodes(expected, new Fp8Channel(ElementType.F32), parts, Shape.of(3, 1));
    }

    @Test
    void refusesWrongParameters() {
        assertThrows(IllegalArgumentException.class, () -> new Fp8Channel(ElementType.U32));
        assertThrows(IllegalArgumentException.class, () -> new Fp8Block(0, 128, ElementType.F32));
        assertThrows(IllegalArgumentException.class, () -> new Fp8Block(128, -1, ElementType.F32));
    }

    private static byte[] codes(int count) {
        byte[] codes = new byte[count];
        new Random(8).nextBytes(codes);
        return codes;
    }
}
