package poot.api.executor;

/**
 * Where a backend that shares the host's memory reads weights from. A device with memory of its own always copies
 * them, and refuses {@link #MAPPED}.
 */
public enum Residency {
    /** {@link #COPIED} where the machine has the memory to spare; otherwise {@link #MAPPED}. */
    AUTO,
    /** Where the store maps them: nothing is copied, and processes share one copy of the file. */
    MAPPED,
    /**
     * Weights that a kernel reads faster in an order of its own from a copy, as packed as the stored, that the executable
     * owns; the store's own pages are given back to the system. Others where they are mapped.
     */
    COPIED
}
