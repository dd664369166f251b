package poot.core.quant;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
import poot.api.graph.Shape;

/**
 * MXFP4 in two parts: E2M1 codes [.., in/32, 16], the low nibble of byte i of a block element 2i and the high one
 * element 2i + 1; exponents [.., in/32], a power of two biased by 127. Values are those of {@link TableBlocks} for the
 * one-part form. Source: the {@code _blocks} and {@code _scales} tensors of Hugging Face's mxfp4 checkpoints.
 */
public record Mxfp4Pairs() implements Format {
    /** Twice the values of E2M1; a negative zero reads as zero. */
    private static final float[] TWICE_E2M1 = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

    @Override
    public Encoding encoding() {
        return Encoding.MXFP4_PAIRS;
    }

    @Override
    public void decode(List<MemorySegment> parts, Shape stored, long row, int column, int count, float[] out, int at) {
        Checks.checkWholeBlocks(encoding(), column, count);
        MemorySegment codes = parts.get(0);
        MemorySegment exponents = parts.get(1);
        long first = row * stored.dim(-1) + column;
        for (int i = 0; i < count; i += 32) {
            float half = TableBlocks.halfPowerOfTwo(exponents.get(ValueLayout.JAVA_BYTE, (first + i) / 32) & 0xFF);
            for (int j = 0; j < 16; j++) {
                int pair = codes.get(ValueLayout.JAVA_BYTE, (first + i) / 2 + j);
                out[at + i + 2 * j] = half * TWICE_E2M1[pair & 15];
                out[at + i + 2 * j + 1] = half * TWICE_E2M1[pair >> 4 & 15];
            }
        }
    }
}
