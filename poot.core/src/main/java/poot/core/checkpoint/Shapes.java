package poot.core.checkpoint;

import java.nio.file.Path;
import poot.api.graph.Shape;
import poot.api.model.CheckpointException;

/** Extents claimed by a file, checked before they become a shape. */
final class Shapes {
    /** The most elements a tensor may claim: 2^48, beyond any file yet far from overflow. */
    private static final long MAX_COUNT = 1L << 48;

    private Shapes() {}

    /** The shape of extents that are each from 0 to 2^31-1, outermost first. */
    static Shape checked(Path file, String where, long[] dims) throws CheckpointException {
        int[] out = new int[dims.length];
        long count = 1;
        for (int i = 0; i < dims.length; i++) {
            out[i] = (int) dims[i];
            if (dims[i] != 0 && count > MAX_COUNT / dims[i]) {
                throw Faults.malformed(file, where, "its dimensions ask for more than 2^48 elements");
            }
            count *= dims[i];
        }
        return Shape.of(out);
    }
}
