package poot.core.kv;

import poot.api.executor.ExecutorException;

/** What holds the contents of blocks: keys and values of every layer. */
public interface BlockStore {
    /** Copies the first {@code positions} positions of a block to another. */
    void copy(int from, int to, int positions) throws ExecutorException;

    /** Zeroes a block. */
    void clear(int block) throws ExecutorException;
}
