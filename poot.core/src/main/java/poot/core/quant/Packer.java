package poot.core.quant;

import poot.api.graph.Encoding;

/**
 * Packs F32 rows: plain round to nearest, for synthetic checkpoints and tests. The bytes are well-formed blocks of the
 * encoding, not those a quantizer that searches for the best scales would choose.
 *
 * <p>Errors of a finite value x of magnitude below 65504 × (largest code), with the decoded scale d of its block:
 * F16 and BF16 half a unit in the last place; Q8_0 d/2; Q4_0 |d|/2, but up to |d| at the end of the range away from
 * the value of largest magnitude; Q4_K (d scale)/2. Larger values saturate (F16: become infinite). A NaN element stays
 * NaN in F16 and BF16, and packs as some code elsewhere.
 */
public enum Packer {
    /** IEEE binary16. */
    F16(Encoding.F16, (row, from, out, at) -> Fields.putShort(out, at, Float.floatToFloat16(row[from]))),
    /** The upper half of a binary32, rounded to nearest even. */
    BF16(Encoding.BF16, (row, from, out, at) -> Fields.putShort(out, at, BlockPackers.brain(row[from]))),
    /** Q8_0: the largest magnitude is code ±127. */
    Q8_0(Encoding.Q8_0, BlockPackers::q8x0),
    /** Q4_0: the value of largest magnitude is code -8. */
    Q4_0(Encoding.Q4_0, BlockPackers::q4x0),
    /** Q4_K: each sub-block's range, widened to hold 0, in 15 steps. */
    Q4_K(Encoding.Q4_K, BlockPackers::q4k);

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
