package poot.core.kernel.decode;

import poot.api.graph.Encoding;

/** One of the buffers that a kernel takes for a stored weight. All begin at a multiple of 16 bytes. */
public sealed interface WeightSource {
    /** A name for it, unique within its weight. */
    String name();

    /**
     * A part of the weight, whole, as the checkpoint stores it.
     *
     * @param index which, in the order of its format
     */
    record Part(int index) implements WeightSource {
        @Override
        public String name() {
            return "part" + index;
        }
    }

    /** The table {@link poot.core.quant.CodeBooks#of} of an encoding; one serves all weights of it. */
    record Book(Encoding encoding) implements WeightSource {
        @Override
        public String name() {
            return "book";
        }
    }
}
