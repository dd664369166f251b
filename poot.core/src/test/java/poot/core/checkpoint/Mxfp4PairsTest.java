package poot.core.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import poot.api.graph.Encoding;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.core.quant.Mxfp4Pairs;

/** The experts of the golden MXFP4 checkpoint have the same values in the Hugging Face layout and in GGUF blocks. */
class Mxfp4PairsTest {
    private static final float[] E2M1 = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};

    @Test
    void bothLayoutsHoldTheSameExperts() throws Exception {
        Path golden = SharedData.require("golden/gpt-oss-mxfp4");
        try (Checkpoint hf = Checkpoint.open(golden, new TestFormats());
                Checkpoint gguf = Checkpoint.open(golden.resolve("model.gguf"), new TestFormats())) {
            for (int layer = 0; layer < 2; layer++) {
                Weight pairs = hf.weights().find("model.layers." + layer + ".mlp.experts.down_proj").orElseThrow();
                Weight blocks = gguf.weights().find("blk." + layer + ".ffn_down_exps.weight").orElseThrow();
                assertEquals(Encoding.MXFP4_PAIRS, pairs.format().encoding());
                assertEquals(Encoding.MXFP4, blocks.format().encoding());
                assertEquals(Shape.of(4, 32, 32), pairs.shape());
                assertEquals(pairs.shape(), blocks.shape());
                float[] row = new float[32];
                for (int r = 0; r < pairs.rowCount(); r++) {
                    new Mxfp4Pairs().decode(pairs.parts(), pairs.stored(), r, 0, 32, row, 0);
                    assertArrayEquals(block(blocks.parts().getFirst(), r), row, "row " + r);
                }
            }
        }
    }

    /** One GGUF block of MXFP4: an exponent, then 16 bytes with elements j and j + 16. */
    private static float[] block(MemorySegment bytes, long index) {
        float[] out = new float[32];
        int exponent = (bytes.get(ValueLayout.JAVA_BYTE, index * 17) & 0xFF) - 127;
        for (int j = 0; j < 16; j++) {
            int pair = bytes.get(ValueLayout.JAVA_BYTE, index * 17 + 1 + j) & 0xFF;
            out[j] = value(pair & 15, exponent);
            out[j + 16] = value(pair >> 4, exponent);
        }
        return out;
    }

    private static float value(int code, int exponent) {
        return Math.scalb((code & 8) == 0 ? E2M1[code] : -E2M1[code & 7], exponent);
    }
}
