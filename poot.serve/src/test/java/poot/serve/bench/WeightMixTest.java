package poot.serve.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import poot.api.graph.Encoding;
import poot.serve.bench.WeightMix.Use;

class WeightMixTest {
    @Test
    void aPlainFormatIsEverywhere() {
        for (Use use : Use.values()) {
            assertEquals(Encoding.Q8_0, WeightMix.Q8_0.encoding(use, 0, 16, 2048));
            assertEquals(Encoding.Q4_K, WeightMix.Q4_K.encoding(use, 0, 16, 2048));
        }
    }

    @Test
    void theMixGivesHalfOfItsLayersMoreBits() {
        List<Integer> more = IntStream.range(0, 16).filter(i -> WeightMix.usesMoreBits(i, 16)).boxed().toList();
        assertEquals(List.of(0, 1, 4, 7, 10, 13, 14, 15), more);
        assertEquals(Encoding.Q6_K, WeightMix.Q4_K_M.encoding(Use.TABLE, 9, 16, 2048));
        assertEquals(Encoding.Q4_K, WeightMix.Q4_K_M.encoding(Use.OTHER, 0, 16, 2048));
        for (Use use : List.of(Use.VALUE, Use.DOWN)) {
            assertEquals(Encoding.Q6_K, WeightMix.Q4_K_M.encoding(use, 4, 16, 2048));
            assertEquals(Encoding.Q4_K, WeightMix.Q4_K_M.encoding(use, 5, 16, 2048));
        }
    }

    @Test
    void rowsThatAreNoWholeBlocksFallBack() {
        assertEquals(Encoding.Q8_0, WeightMix.Q4_K_M.encoding(Use.TABLE, 0, 24, 896));
        assertEquals(Encoding.Q5_0, WeightMix.Q4_K_M.encoding(Use.OTHER, 0, 24, 896));
        assertEquals(Encoding.Q5_1, WeightMix.Q5_K.encoding(Use.OTHER, 0, 24, 896));
        assertEquals(Encoding.IQ4_NL, WeightMix.IQ4_XS.encoding(Use.OTHER, 0, 24, 896));
        assertThrows(IllegalArgumentException.class, () -> WeightMix.Q8_0.encoding(Use.OTHER, 0, 24, 33));
    }

    /** A published file of this shape and mix holds 807 MB, its rotary factors and longer vocabulary included. */
    @Test
    void theSizeIsThatOfPublishedFiles() throws Exception {
        assertEquals(800e6, SyntheticCheckpoint.weightBytes(BenchShape.named("1b"), WeightMix.Q4_K_M), 8e6);
    }
}
