package poot.core.quant;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Every entry of every grid, also those no golden block names, against checksums of the published tables' bytes. */
class GridsTest {
    @Test
    void gridsAreThePublishedTables() {
        assertGrid(256, 8, 0x9924FF02L, Grids.IQ2_XXS, 0);
        assertGrid(512, 8, 0xFA1E1BFDL, Grids.IQ2_XS, 0);
        assertGrid(1024, 8, 0x25AE5BF1L, Grids.IQ2_S, 0);
        assertGrid(256, 4, 0x07BA9ED0L, Grids.IQ3_XXS, 0);
        assertGrid(512, 4, 0xF576E4F3L, Grids.IQ3_S, 0);
        assertGrid(2048, 8, 0xB85E6CCFL, Grids.IQ1, 1);
    }

    @Test
    void signsComeInEvenNumber() {
        assertEquals(0, Grids.evenSigns(0));
        assertEquals(0x81, Grids.evenSigns(1));
        assertEquals(0xFF, Grids.evenSigns(127));
        assertEquals(0x03, Grids.evenSigns(3));
    }

    private static void assertGrid(int entries, int dimensions, long checksum, long[] grid, int bias) {
        assertEquals(entries, grid.length);
        CRC32 crc = new CRC32();
        for (long point : grid) {
            for (int j = 0; j < dimensions; j++) {
                crc.update((int) (point >>> 8 * j & 0xFF) - bias);
            }
        }
        assertEquals(checksum, crc.getValue());
    }
}
