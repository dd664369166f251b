package poot.api.executor;

/** Where a backend that shares the host's memory reads weights from. A device with memory of its own always copies them. */
public enum Residency {
    /** {@link #COPIED} where that reads faster and the machine has the memory to spare; otherwise {@link #MAPPED}. */
    AUTO,
    /** Where the store maps them: nothing is copied, and processes share one copy of the file. */
    MAPPED,
    /**
     * From a copy, still as stored, that the executable owns, in pages larger than those of a mapped file. The store's own
     * pages are given back to the system.
     */
    COPIED
}
