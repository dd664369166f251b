package poot.backend.cpu.kernel.attention;

/**
 * Where the positions of a cache are cut, whatever is read of it and by whom: a query's result is joined of what each
 * stretch gives it, so that stretches can be walked by several workers or by one. Every stretch begins at a multiple of
 * {@link #LEAST}. Where queries see a window all have that length; else those from the eighth on grow with the position,
 * eight for each doubling, so that a long row has few.
 *
 * @param windowed whether queries see a window
 */
record Stretches(boolean windowed) {
    /** Positions of the shortest. */
    static final int LEAST = 256;
    private static final int LEAST_BITS = 8;
    private static final int OCTAVE_BITS = 3;
    private static final int OCTAVE = 1 << OCTAVE_BITS;

    /** The stretch a position lies in. */
    int of(int position) {
        int unit = position >> LEAST_BITS;
        if (windowed || unit < OCTAVE) {
            return unit;
        }
        int shift = 31 - OCTAVE_BITS - Integer.numberOfLeadingZeros(unit);
        return (shift << OCTAVE_BITS) + (unit >> shift);
    }

    /** The first position of a stretch. */
    long begin(int stretch) {
        if (windowed || stretch < OCTAVE) {
            return (long) stretch << LEAST_BITS;
        }
        int shift = (stretch >> OCTAVE_BITS) - 1;
        return (long) (OCTAVE + stretch % OCTAVE) << shift + LEAST_BITS;
    }

    /** How many stretches begin before {@code positions}. */
    int count(int positions) {
        return positions <= 0 ? 0 : of(positions - 1) + 1;
    }
}
