package poot.core.engine;

/** Why a request ended without a fault. */
public enum End {
    /** A stop id was chosen, or a stop string was completed. */
    STOP,
    /** The request's token limit was reached. */
    LENGTH,
    /** The row, or the whole pool of the cache, is full. */
    CAPACITY,
    /** The caller cancelled it. */
    CANCELLED,
    /** A deadline of the request passed. */
    DEADLINE,
    /** The engine was drained or closed before it was done. */
    SHUTDOWN
}
