package poot.core.quant;

import poot.api.graph.Encoding;

/**
 * Packs F32 rows: plain round to nearest, for synthetic checkpoints and tests. The bytes are well-formed blocks of the
 * encoding, not those a quantizer that searches for the best scales would choose.
 *
 * <p>Errors of a finite value x of magnitude below 65504 × (largest code), with the decoded step d of its block or
 * sub-block: F16 and BF16 half a unit in the last place; Q8_0 d/2; Q4_1, Q5_1, Q2_K, Q4_K and Q5_K d/2; Q4_0, Q5_0,
 * Q3_K and Q6_K |d|/2, but up to |d| at the end of the range away from the value of largest magnitude; IQ4_NL and IQ4_XS,
 * whose levels lie 11 to 24 steps apart, 14 |d|; MXFP4 2^e, and half the distance to its neighbour for a code's value.
 * Values that are codes times a representable step, with the largest magnitude or range that step allows, are exact.
 * Larger values saturate (F16: become infinite), as do those of Q4_1 and Q5_1 below -65504 and of MXFP4 beyond 6 2^125.
 * A NaN element stays NaN in F16 and BF16, and packs as some code elsewhere.
 */
public enum Packer {
    /** IEEE binary16. */
    F16(Encoding.F16, (row, from, out, at) -> Fields.putShort(out, at, Float.floatToFloat16(row[from]))),
    /** The upper half of a binary32, rounded to nearest even. */
    BF16(Encoding.BF16, (row, from, out, at) -> Fields.putShort(out, at, LegacyPackers.brain(row[from]))),
    /** Q8_0: the largest magnitude is code ±127. */
    Q8_0(Encoding.Q8_0, LegacyPackers::q8x0),
    /** Q4_0: the value of largest magnitude is code -8. */
    Q4_0(Encoding.Q4_0, LegacyPackers::q4x0),
    /** Q4_1: the block's range in 15 steps. */
    Q4_1(Encoding.Q4_1, LegacyPackers::q4x1),
    /** Q5_0: the value of largest magnitude is code -16. */
    Q5_0(Encoding.Q5_0, LegacyPackers::q5x0),
    /** Q5_1: the block's range in 31 steps. */
    Q5_1(Encoding.Q5_1, LegacyPackers::q5x1),
    /** Q2_K: each sub-block's range, widened to hold 0, in 3 steps. */
    Q2_K(Encoding.Q2_K, KPackers::q2k),
    /** Q3_K: a sub-block's value of largest magnitude is code -4. */
    Q3_K(Encoding.Q3_K, KPackers::q3k),
    /** Q4_K: each sub-block's range, widened to hold 0, in 15 steps. */
    Q4_K(Encoding.Q4_K, KPackers::q4k),
    /** Q5_K: each sub-block's range, widened to hold 0, in 31 steps. */
    Q5_K(Encoding.Q5_K, KPackers::q5k),
    /** Q6_K: a sub-block's value of largest magnitude is code -32. */
    Q6_K(Encoding.Q6_K, KPackers::q6k),
    /** IQ4_NL: the value of largest magnitude is level -127. */
    IQ4_NL(Encoding.IQ4_NL, TablePackers::iq4nl),
    /** IQ4_XS: a sub-block's value of largest magnitude is level -127. */
    IQ4_XS(Encoding.IQ4_XS, TablePackers::iq4xs),
    /** MXFP4: the smallest power of two that keeps the largest magnitude within 6. */
    MXFP4(Encoding.MXFP4, TablePackers::mxfp4);

    /** Packs one block. */
    @FunctionalInterface
    interface BlockPacker {
        /** Packs the elements from {@code row[from]} on into the bytes from {@code out[at]} on. */
        void pack(float[] row, int from, byte[] out, int at);
    }

    private final Encoding encoding;
    private final BlockPacker packer;

    Packer(Encoding encoding, BlockPacker packer) {
        this.encoding = encoding;
        this.packer = packer;
    }

    /** The encoding this packs to. */
    public Encoding encoding() {
        return encoding;
    }

    /**
     * What a matrix with rows of {@code columns} elements is packed to where this is asked for: this, if a row is whole
     * blocks; otherwise the format with blocks of 32 that llama.cpp puts in the place of a K format or IQ4_XS; otherwise
     * F16.
     */
    public Packer fitting(int columns) {
        if (columns % encoding.blockElements() == 0) {
            return this;
        }
        return switch (this) {
            case Q2_K, Q3_K, IQ4_XS -> IQ4_NL.fitting(columns);
            case Q4_K -> Q5_0.fitting(columns);
            case Q5_K -> Q5_1.fitting(columns);
            case Q6_K -> Q8_0.fitting(columns);
            case F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, IQ4_NL, MXFP4 -> F16;
        };
    }

    /** Bytes that {@code elements} elements pack to. */
    public int bytes(int elements) {
        Checks.checkWholeBlocks(encoding, 0, elements);
        return Math.multiplyExact(elements / encoding.blockElements(), encoding.blockBytes());
    }

    /**
     * Packs {@code count} values from {@code row[from]} on into {@link #bytes} bytes from {@code out[at]} on.
     *
     * @throws IllegalArgumentException  if {@code count} is not a whole number of blocks
     * @throws IndexOutOfBoundsException if a range lies outside its array
     */
    public void pack(float[] row, int from, int count, byte[] out, int at) {
        Checks.checkWholeBlocks(encoding, 0, count);
        for (int b = 0; b < count / encoding.blockElements(); b++) {
            packer.pack(row, from + b * encoding.blockElements(), out, at + b * encoding.blockBytes());
        }
    }

    /** Packs a whole row. */
    public byte[] pack(float[] row) {
        byte[] out = new byte[bytes(row.length)];
        pack(row, 0, row.length, out, 0);
        return out;
    }
}
