package poot.core.driver;

import java.lang.foreign.MemorySegment;
import java.util.Collection;
import poot.api.driver.CacheUse;
import poot.api.executor.ExecutorException;

/** Where the keys and values of open sequences lie, and whose that memory is. */
sealed interface KvMemory permits OwnRows, SharedBlocks {
    /** A sequence begins, in a row that was taken for it. */
    void open(OpenSequence s) throws ExecutorException;

    /** Makes sure of memory for a sequence's next {@code tokens} tokens; false if there is none, and nothing was taken. */
    boolean reserve(OpenSequence s, int tokens) throws ExecutorException;

    /** The slot of a position that is reserved or fed. */
    int slot(OpenSequence s, int position);

    /** Fills a sequence's row of the block table, I32 [B]: -1 where there is no block. */
    void table(OpenSequence s, MemorySegment row);

    /** A step fed a sequence. */
    void fed(OpenSequence s);

    /** A sequence has fewer tokens fed than before. */
    void cut(OpenSequence s);

    /** A sequence ends, failed or not. */
    void close(OpenSequence s);

    /** What the memory is used for. */
    CacheUse use();

    /**
     * Checks the books against all open sequences.
     *
     * @throws IllegalStateException naming what does not agree
     */
    void checkIntegrity(Collection<OpenSequence> open);
}
