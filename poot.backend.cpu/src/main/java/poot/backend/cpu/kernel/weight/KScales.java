package poot.backend.cpu.kernel.weight;

/** The eight 6-bit scales and minima in 12 bytes of Q4_K and Q5_K, unpacked to a byte each. */
final class KScales {
    private static final int SIX = 0x3f3f3f3f;
    private static final int FOUR = 0x0f0f0f0f;
    private static final int TWO = 0x03030303;

    private KScales() {}

    /** The scales of sub-blocks 0 … 7 from the lowest byte up; the 12 bytes begin at {@code at}. */
    static long scales(byte[] w, int at) {
        int a = Fields.word(w, at);
        int c = Fields.word(w, at + 8);
        return join(a & SIX, c & FOUR | (a >>> 6 & TWO) << 4);
    }

    /** The minima, likewise. */
    static long minima(byte[] w, int at) {
        int b = Fields.word(w, at + 4);
        int c = Fields.word(w, at + 8);
        return join(b & SIX, c >>> 4 & FOUR | (b >>> 6 & TWO) << 4);
    }

    /** The byte of a sub-block. */
    static int at(long packed, int s) {
        return (int) (packed >>> 8 * s) & 0xff;
    }

    private static long join(int low, int high) {
        return low & 0xffffffffL | (long) high << 32;
    }
}
