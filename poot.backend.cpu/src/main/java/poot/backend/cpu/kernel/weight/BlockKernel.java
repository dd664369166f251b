package poot.backend.cpu.kernel.weight;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import poot.api.graph.Encoding;
import poot.backend.cpu.kernel.Lanes;

/**
 * The vector code of one block encoding. A row's packed bytes come in an array, the vector too: access to arrays is so
 * much simpler for the compiler than access to segments that a whole block fits one compiled loop.
 */
interface BlockKernel {
    /**
     * Two rows times x over {@code n} elements, a whole number of blocks and at most a stretch, in the order of
     * {@link Dots}: each element as {@link #decode} gives it.
     *
     * @param w     the packed bytes of the rows begin at {@code first} and {@code second}
     * @param x     the vector begins at {@code xAt}
     * @param lanes where the sums' lanes are left, a vector each
     */
    void dots(byte[] w, int first, int second, int n, float[] x, int xAt, float[] lanes);

    /** Decodes {@code n} elements to F32 from byte {@code to} of {@code out} on. */
    void decode(byte[] w, int n, MemorySegment out, long to);

    /** The vector code for an encoding on this machine; empty where rows are read through the format's own decode. */
    static Optional<BlockKernel> of(Encoding e) {
        if (!Lanes.NARROW) {
            return Optional.empty();
        }
        return switch (e) {
            case Q8_0 -> Optional.of(new BlockQ8());
            case Q4_0 -> Optional.of(new BlockQ4());
            case Q4_K -> Optional.of(new BlockQ4K());
            case Q5_K -> Optional.of(new BlockQ5K());
            case Q6_K -> Optional.of(new BlockQ6K());
            case IQ4_NL -> Optional.of(new BlockTable(BlockTable.Layout.IQ4_NL));
            case IQ4_XS -> Optional.of(new BlockTable(BlockTable.Layout.IQ4_XS));
            case MXFP4 -> Optional.of(new BlockTable(BlockTable.Layout.MXFP4));
            case F32, F16, BF16, Q1_0, Q2_0, Q4_1, Q5_0, Q5_1, Q2_K, Q3_K, IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS,
                    IQ3_S, TQ1_0, TQ2_0, MXFP4_PAIRS, NVFP4, GPTQ_4, AWQ_4, FP8_CHANNEL, FP8_BLOCK ->
                Optional.empty();
        };
    }
}
