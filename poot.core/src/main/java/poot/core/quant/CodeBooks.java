package poot.core.quant;

import java.util.Optional;
import poot.api.graph.Encoding;

/**
 * The tables that the codes of some encodings point into, for decoders that run where this class does not. Each is as it
 * would lie in memory, little-endian, in words of 32 bits:
 *
 * <ul>
 * <li>IQ1, IQ2: points of eight coordinates, a byte each, the first lowest; of IQ1 one is added to each coordinate;
 * <li>IQ3: points of four coordinates, a byte each;
 * <li>IQ4_NL, IQ4_XS: the 16 levels as F32; MXFP4, MXFP4_PAIRS, NVFP4: twice the 16 values of E2M1 as F32.
 * </ul>
 */
public final class CodeBooks {
    /** The table of an encoding; empty where codes are numbers. The array is the caller's. */
    public static Optional<int[]> of(Encoding encoding) {
        return switch (encoding) {
            case IQ1_S, IQ1_M -> Optional.of(pairs(Grids.IQ1));
            case IQ2_XXS -> Optional.of(pairs(Grids.IQ2_XXS));
            case IQ2_XS -> Optional.of(pairs(Grids.IQ2_XS));
            case IQ2_S -> Optional.of(pairs(Grids.IQ2_S));
            case IQ3_XXS -> Optional.of(words(Grids.IQ3_XXS));
            case IQ3_S -> Optional.of(words(Grids.IQ3_S));
            case IQ4_NL, IQ4_XS -> Optional.of(floats(TableBlocks.levels()));
            case MXFP4, MXFP4_PAIRS, NVFP4 -> Optional.of(floats(TableBlocks.twiceE2m1()));
            case F32, F16, BF16, Q1_0, Q2_0, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, TQ1_0, TQ2_0,
                    GPTQ_4, AWQ_4, FP8_CHANNEL, FP8_BLOCK -> Optional.empty();
        };
    }

    private static int[] pairs(long[] grid) {
        int[] out = new int[2 * grid.length];
        for (int i = 0; i < grid.length; i++) {
            out[2 * i] = (int) grid[i];
            out[2 * i + 1] = (int) (grid[i] >>> 32);
        }
        return out;
    }

    private static int[] words(long[] grid) {
        int[] out = new int[grid.length];
        for (int i = 0; i < grid.length; i++) {
            out[i] = (int) grid[i];
        }
        return out;
    }

    private static int[] floats(int[] levels) {
        int[] out = new int[levels.length];
        for (int i = 0; i < levels.length; i++) {
            out[i] = Float.floatToRawIntBits(levels[i]);
        }
        return out;
    }

    private CodeBooks() {
    }
}
