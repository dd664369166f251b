package poot.api.graph;

/**
 * The published storage encodings of a weight matrix: the identity a backend may specialise a kernel for.
 *
 * <p>The names and block sizes of the GGML encodings are those of the GGUF specification; what the bits mean is
 * defined once, by the {@link Format} that carries the encoding.
 */
public enum Encoding {
    F32(1, 4), F16(1, 2), BF16(1, 2),
    Q1_0(128, 18), Q2_0(64, 18),
    Q4_0(32, 18), Q4_1(32, 20), Q5_0(32, 22), Q5_1(32, 24), Q8_0(32, 34),
    Q2_K(256, 84), Q3_K(256, 110), Q4_K(256, 144), Q5_K(256, 176), Q6_K(256, 210),
    IQ1_S(256, 50), IQ1_M(256, 56), IQ2_XXS(256, 66), IQ2_XS(256, 74), IQ2_S(256, 82),
    IQ3_XXS(256, 98), IQ3_S(256, 110), IQ4_NL(32, 18), IQ4_XS(256, 136),
    TQ1_0(256, 54), TQ2_0(256, 66), MXFP4(32, 17), NVFP4(64, 36),
    /** MXFP4: codes [.., rows, columns/2], two adjacent elements to a byte, the lower nibble first; exponents [.., rows, columns/32]. */
    MXFP4_PAIRS(32, 0),
    /**
     * GPTQ: codes I32 [.., columns/8, rows], column c in nibble c mod 8; zero points I32 [.., groups, rows/8], row r in nibble
     * r mod 8; scales [.., groups, rows]; the group of each column I32 [.., columns], if ordered.
     */
    GPTQ_4(8, 0),
    /**
     * AWQ GEMM: codes I32 [.., columns, rows/8], of eight rows 0, 2, 4, 6, 1, 3, 5, 7 in nibbles 0 to 7; zero points I32
     * [.., groups, rows/8], likewise; scales [.., groups, rows].
     */
    AWQ_4(8, 0),
    /** FP8 E4M3 elements [.., rows, columns]; a scale for each row or one for all. */
    FP8_CHANNEL(1, 1),
    /** FP8 E4M3 elements [.., rows, columns]; scales [.., rectangles down, rectangles across]. */
    FP8_BLOCK(1, 1);

    private final int blockElements;
    private final int blockBytes;

    Encoding(int blockElements, int blockBytes) {
        this.blockElements = blockElements;
        this.blockBytes = blockBytes;
    }

    /** Elements of one block along a row: a row is a whole number of blocks. */
    public int blockElements() {
        return blockElements;
    }

    /** Bytes of one block; 0 where a row is not stored contiguously. */
    public int blockBytes() {
        return blockBytes;
    }

    /** True for F32, F16 and BF16, whose elements need no block decoder. */
    public boolean isDense() {
        return this == F32 || this == F16 || this == BF16;
    }

    /** The element type of a dense encoding, {@link ElementType#PACKED} otherwise. */
    public ElementType element() {
        return switch (this) {
            case F32 -> ElementType.F32;
            case F16 -> ElementType.F16;
            case BF16 -> ElementType.BF16;
            default -> ElementType.PACKED;
        };
    }
}
