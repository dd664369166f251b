package poot.core.quant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import poot.api.graph.Shape;

/** What {@link Packer} writes decodes to within the documented errors. */
class PackerTest {
    private static final float SLACK = 1.0001f;

    @Test
    void halvesAndBrainsRoundToNearest() {
        float[] row = random(1, 0.02f);
        float[] half = roundTrip(Packer.F16, row);
        float[] brain = roundTrip(Packer.BF16, row);
        for (int i = 0; i < row.length; i++) {
            assertEquals(row[i], half[i], Math.abs(row[i]) / 2048 + 0x1p-25f);
            assertEquals(row[i], brain[i], Math.abs(row[i]) / 256);
        }
        assertEquals(0x1.02p0f, roundTrip(Packer.BF16, new float[] {0x1.01fp0f})[0]);
        assertEquals(1f, roundTrip(Packer.BF16, new float[] {0x1.01p0f})[0], "ties go to even");
        assertTrue(Float.isNaN(roundTrip(Packer.BF16, new float[] {Float.NaN})[0]));
        assertTrue(Float.isNaN(roundTrip(Packer.F16, new float[] {Float.NaN})[0]));
        assertEquals(Float.NEGATIVE_INFINITY, roundTrip(Packer.BF16, new float[] {Float.NEGATIVE_INFINITY})[0]);
    }

    @Test
    void q8x0StaysWithinHalfAStep() {
        for (float size : new float[] {1e-3f, 1, 3e4f}) {
            float[] row = random(2, size);
            byte[] packed = Packer.Q8_0.pack(row);
            float[] back = roundTrip(Packer.Q8_0, row);
            for (int i = 0; i < row.length; i++) {
                assertEquals(row[i], back[i], Fields.half(packed, i / 32 * 34) / 2 * SLACK);
            }
        }
    }

    @Test
    void q4x0StaysWithinAStep() {
        for (float size : new float[] {1e-3f, 1, 3e4f}) {
            float[] row = random(3, size);
            byte[] packed = Packer.Q4_0.pack(row);
            float[] back = roundTrip(Packer.Q4_0, row);
            for (int i = 0; i < row.length; i++) {
                float d = Fields.half(packed, i / 32 * 18);
                float reach = row[i] / d > 7.5f ? Math.abs(d) : Math.abs(d) / 2;
                assertEquals(row[i], back[i], reach * SLACK);
            }
        }
    }

    @Test
    void q4kStaysWithinHalfAStep() {
        for (float size : new float[] {0.02f, 1, 3e4f}) {
            float[] row = random(4, size);
            for (int i = 0; i < 512; i++) {
                row[i] = Math.abs(row[i]) * (i < 256 ? 1 : -1);
            }
            byte[] packed = Packer.Q4_K.pack(row);
            float[] back = roundTrip(Packer.Q4_K, row);
            for (int i = 0; i < row.length; i++) {
                int block = i / 256 * 144;
                float step = Fields.half(packed, block) * KBlocks.scale(packed, block + 4, i % 256 / 32);
                assertEquals(row[i], back[i], step / 2 * SLACK + 1e-6f * size);
            }
        }
    }

    @Test
    void refusesPartsOfBlocks() {
        assertThrows(IllegalArgumentException.class, () -> Packer.Q4_K.pack(new float[128]));
        assertThrows(IllegalArgumentException.class, () -> Packer.Q8_0.bytes(33));
        assertEquals(68, Packer.Q8_0.bytes(64));
    }

    private static float[] random(long seed, float size) {
        Random random = new Random(seed);
        float[] row = new float[2048];
        for (int i = 0; i < row.length; i++) {
            row[i] = (float) random.nextGaussian() * size;
        }
        return row;
    }

    private static float[] roundTrip(Packer packer, float[] row) {
        float[] out = new float[row.length];
        List<MemorySegment> parts = List.of(MemorySegment.ofArray(packer.pack(row)));
        QuantFormats.of(packer.encoding()).decode(parts, Shape.of(1, row.length), 0, 0, row.length, out, 0);
        return out;
    }
}
