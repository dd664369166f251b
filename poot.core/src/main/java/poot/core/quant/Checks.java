package poot.core.quant;

import poot.api.graph.ElementType;
import poot.api.graph.Encoding;

/** The checks all formats share. */
final class Checks {
    /** Refuses a run that does not start and end at block boundaries. */
    static void checkWholeBlocks(Encoding encoding, int column, int count) {
        int elements = encoding.blockElements();
        if (column < 0 || count < 0 || column % elements != 0 || count % elements != 0) {
            throw new IllegalArgumentException("a run of " + encoding + " covers whole blocks of " + elements
                    + " elements; asked for " + count + " from column " + column);
        }
    }

    /** Refuses scales that are not floats. */
    static void checkScaleType(ElementType scaleType) {
        if (!scaleType.isFloat()) {
            throw new IllegalArgumentException("scales of type " + scaleType + "; they are F32, F16 or BF16");
        }
    }

    /** Refuses a group size that is neither positive nor -1 (one group for the whole axis). */
    static void checkGroupSize(int groupSize) {
        if (groupSize < 1 && groupSize != -1) {
            throw new IllegalArgumentException("group size " + groupSize + "; it is positive, or -1 for one group");
        }
    }

    /** Refuses a group outside {@code 0..groups-1}: an order that is not of its matrix. */
    static int checkGroup(int group, int groups) {
        if (group < 0 || group >= groups) {
            throw new IndexOutOfBoundsException("g_idx names group " + group + " of " + groups);
        }
        return group;
    }

    private Checks() {
    }
}
