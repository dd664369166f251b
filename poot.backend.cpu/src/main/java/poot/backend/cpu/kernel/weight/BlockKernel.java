package poot.backend.cpu.kernel.weight;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import poot.api.graph.Encoding;
import poot.backend.cpu.kernel.Lanes;

/**
 * The vector code of one encoding whose rows are whole blocks in one part. The sums are those of each 32 elements of
 * the vector, for encodings with an offset per block.
 */
public interface BlockKernel {
    /** Elements between two sums. */
    int SUMMED = 32;

    /**
     * Σ row · x over {@code elements} elements.
     *
     * @param w     the stored bytes; the row begins at byte {@code at}
     * @param x     F32; the vector begins at byte {@code xAt}
     * @param sums  F32; the sums of the vector begin at byte {@code sumsAt}
     */
    float dot(MemorySegment w, long at, int elements, MemorySegment x, long xAt, MemorySegment sums, long sumsAt);

    /** Decodes {@code elements} elements from byte {@code at} on to F32 from byte {@code to} of {@code out} on. */
    void decode(MemorySegment w, long at, int elements, MemorySegment out, long to);

    /** Whether {@link #dot} reads the sums. */
    boolean readsSums();

    /** The vector code for an encoding on this machine; empty where rows are read through the format's own decode. */
    static Optional<BlockKernel> of(Encoding e) {
        if (!Lanes.NARROW) {
            return e == Encoding.F32 ? Optional.of(new DenseF32()) : Optional.empty();
        }
        return switch (e) {
            case F32 -> Optional.of(new DenseF32());
            case F16 -> Optional.of(new DenseF16());
            case BF16 -> Optional.of(new DenseBf16());
            case Q8_0 -> Optional.of(new BlockQ8());
            case Q4_0 -> Optional.of(new BlockQ4());
            case Q4_K -> Optional.of(new BlockQ4K());
            case Q5_K -> Optional.of(new BlockQ5K());
            case Q6_K -> Optional.of(new BlockQ6K());
            case Q1_0, Q2_0, Q4_1, Q5_0, Q5_1, Q2_K, Q3_K, IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S, IQ4_NL,
                    IQ4_XS, TQ1_0, TQ2_0, MXFP4, MXFP4_PAIRS, NVFP4, GPTQ_4, AWQ_4, FP8_CHANNEL, FP8_BLOCK -> Optional.empty();
        };
    }
}
