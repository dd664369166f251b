package poot.api.model;

/**
 * Where cached positions lie. The cache of every layer is one pool of slots, one position a slot; a row reads
 * position p from slot {@code table[p / block] * block + p % block}. A contiguous cache is the special case of one
 * block per row that holds the whole capacity.
 */
public sealed interface KvLayout {
    /** Slots of the pool. */
    int slots(int capacity);

    /** Sequences that may be open at once: the first extent of every recurrent state. */
    int sequences();

    /** Slots of one block. */
    int block(int capacity);

    /** Every sequence owns {@code capacity} neighbouring slots; {@code sequences} of them fit the pool. */
    record Contiguous(int sequences) implements KvLayout {
        @Override
        public int slots(int capacity) {
            return Math.multiplyExact(sequences, capacity);
        }

        @Override
        public int block(int capacity) {
            return capacity;
        }
    }

    /** A pool of {@code blocks} blocks of {@code positions} slots, handed out block by block to {@code sequences}. */
    record Paged(int blocks, int positions, int sequences) implements KvLayout {
        @Override
        public int slots(int capacity) {
            return Math.multiplyExact(blocks, positions);
        }

        @Override
        public int block(int capacity) {
            return positions;
        }
    }
}
