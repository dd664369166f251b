package poot.core.quant;

/** Eight bytes of a word at once: element <i>j</i> of eight is bits 8<i>j</i>..8<i>j</i>+7, as it lies in memory. */
final class Lanes {
    /** The lowest bit of every byte. */
    static final long BIT = 0x0101010101010101L;
    /** The lowest two bits of every byte. */
    static final long PAIR = 3 * BIT;
    /** The low nibble of every byte. */
    static final long NIBBLE = 15 * BIT;

    private static final long TOP = 0x80 * BIT;

    /** Every byte (0..127) less {@code bias} (0..127), signed. */
    static long less(long bytes, int bias) {
        return (bytes | TOP) - bias * BIT ^ TOP;
    }

    /** Bit <i>j</i> of the low eight of {@code bits} as byte <i>j</i>, 0 or 1. */
    static long bits(int bits) {
        return Long.expand(bits & 0xFF, BIT);
    }

    /** Every byte (1..127), negated where {@code signs} has its bit set. */
    static long signed(long bytes, int signs) {
        long negative = bits(signs);
        return (bytes ^ 0xFF * negative) + negative;
    }

    /** Spreads 4-bit codes less {@code bias}: the low nibbles of {@code bytes} bytes, then their high nibbles. */
    static void nibbles(byte[] block, int from, int bytes, int bias, byte[] codes, int at) {
        for (int k = 0; k < bytes; k += 8) {
            long word = Fields.i64(block, from + k);
            Fields.putLong(codes, at + k, less(word & NIBBLE, bias));
            Fields.putLong(codes, at + bytes + k, less(word >>> 4 & NIBBLE, bias));
        }
    }

    /** {@code values[i] = values[i] scale} for {@code count} values. */
    static void times(float scale, float[] values, int at, int count) {
        for (int i = 0; i < count; i++) {
            values[at + i] *= scale;
        }
    }

    /** {@code values[i] = values[i] scale + offset} for {@code count} values, rounded twice. */
    static void timesPlus(float scale, float offset, float[] values, int at, int count) {
        for (int i = 0; i < count; i++) {
            values[at + i] = values[at + i] * scale + offset;
        }
    }

    private Lanes() {
    }
}
