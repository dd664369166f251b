package poot.core.checkpoint;

/** How the packed linears of a Hugging Face checkpoint are stored: what {@code quantization_config} says. */
sealed interface Quantization {
    /** Nothing is packed. */
    record None() implements Quantization {}

    /**
     * GPTQ, 4 bits.
     *
     * @param groupSize   input elements that share a scale; -1 for all of them
     * @param zeroPlusOne true for the packing that stores each zero less one
     * @param ordered     true if {@code g_idx} gives the group of an input element
     */
    record Gptq(int groupSize, boolean zeroPlusOne, boolean ordered) implements Quantization {}

    /**
     * AWQ GEMM, 4 bits, with zeros.
     *
     * @param groupSize input elements that share a scale; -1 for all of them
     */
    record Awq(int groupSize) implements Quantization {}

    /** FP8 E4M3 with multipliers as the grain says. */
    record Fp8(Grain grain) implements Quantization {}

    /** MXFP4 codes and exponents in two tensors, {@code _blocks} and {@code _scales}. */
    record Mxfp4() implements Quantization {}

    /** What one FP8 multiplier covers. */
    sealed interface Grain {
        /** The whole tensor. */
        record Tensor() implements Grain {}

        /** One output row. */
        record Channel() implements Grain {}

        /** A block of output rows by input columns. */
        record Block(int rows, int columns) implements Grain {}
    }
}
