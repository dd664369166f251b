package poot.api.driver;

import java.util.List;
import java.util.Set;
import poot.api.model.ModelConfig;

/**
 * A prepared driver: the loop open, step, commit, release over sequences and rows. Used by one thread at a time; a
 * step compiles nothing and allocates nothing on the device.
 */
public interface ServingDriver extends AutoCloseable {
    /** What the model is. */
    ModelConfig config();

    /** The options it was prepared under. */
    DriverOptions options();

    /** The prepared entries, described, in the order prepared. */
    List<String> entries();

    /** The heads that were prepared. */
    Set<HeadKind> heads();

    /** Rows not taken by a sequence. */
    int freeRows();

    /** Bytes held on the device beyond the mapped weights. */
    long retainedBytes();

    /** What the memory of keys and values is used for. */
    CacheUse cache();

    /**
     * Whether a request is of a kind the driver serves, whatever else is open. Takes nothing; safe from any thread.
     *
     * @throws AdmitException as {@link #open} throws it, but for the want of a row
     */
    void check(SeqRequest request) throws AdmitException;

    /**
     * Admits a request: it takes a row until it is released. Where the pool reuses what it held, the longest beginning
     * of the prompt that is held, all but its last token at most, is not fed again: {@link Sequence#reused} of its
     * tokens are fed already. A request with inputs of its own, or to a model with recurrent state, reuses nothing.
     *
     * @throws AdmitException if the request is refused; nothing was taken
     */
    Sequence open(SeqRequest request) throws AdmitException;

    /**
     * Makes sure of blocks for the next {@code tokens} pending tokens of a sequence, giving up the blocks kept for reuse
     * that were used least recently as needed. Of a sequence that has not been fed since it was opened or suspended, a
     * longer beginning may be found held by now.
     *
     * @return whether it has them; if not the pool is dry and nothing was taken. True where every row owns its memory
     * @throws StepException if the sequence is not to be fed or belongs to another driver, or the device failed
     */
    boolean reserve(Sequence sequence, int tokens) throws StepException;

    /**
     * Gives the blocks of a sequence back. It keeps its row, its tokens and what was counted for penalties, and goes on
     * as if nothing had been, but for the time: the next steps feed all its tokens again, but for a beginning that is
     * still held for reuse.
     *
     * @throws StepException if it failed, was released or belongs to another driver, or the device failed
     */
    void suspend(Sequence sequence) throws StepException;

    /**
     * Feeds each row its next pending tokens. A row with more pending than one step takes is {@link RowResult.Fed};
     * one whose pending tokens are all fed yields a choice, or the logits it asked for. A row without blocks for its
     * tokens reserves them; where the pool is dry it is not fed, {@link StepFault.PoolDry}, and stays as it was.
     *
     * @return one result a row, in the order given; a failed row fails alone, a failed device fails the rows it ran
     * @throws StepException if a row is given twice or belongs to another driver; nothing was fed
     */
    List<RowResult> step(List<RowWork> rows) throws StepException;

    /**
     * Appends a token to a sequence, the chosen one or another; the next step feeds it. Several tokens may be
     * committed one after another; the row is then fed them all.
     *
     * @throws StepException if the id is outside the vocabulary, the row is full, or the sequence is not to be continued
     */
    void commit(Sequence sequence, int token) throws StepException;

    /**
     * Forgets all but the first {@code length} tokens, so that a shared beginning is fed once; the last of them is fed
     * (again) by the next step.
     *
     * @throws StepException if the model's state cannot be cut back, or the sequence has not that many tokens
     */
    void rewind(Sequence sequence, int length) throws StepException;

    /** Closes a sequence and frees its row; without effect if already released. */
    void release(Sequence sequence);

    /**
     * Opens, steps and commits one row until it ends, and releases it. The sink receives each token as it is chosen.
     *
     * @throws AdmitException if the request is refused, or asks for full logits
     */
    Generation generate(SeqRequest request, GenerateLimits limits, TokenSink sink) throws AdmitException;

    /**
     * Runs rows through the model's encode program.
     *
     * @return one result a row, in the order given
     * @throws AdmitException if a row is refused; none was run
     */
    List<EncodeResult> encode(List<EncodeRow> rows) throws AdmitException;

    /**
     * Checks the books of the memory of keys and values, for tests: each block is free, kept for reuse alone or held by
     * open sequences, and by exactly those that its count says.
     *
     * @throws IllegalStateException naming the block whose books disagree
     */
    void checkIntegrity();

    /** Releases every sequence and everything resident; the model is given back. */
    @Override
    void close();
}
