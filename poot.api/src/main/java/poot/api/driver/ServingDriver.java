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

    /**
     * Admits a request: it takes a row until it is released.
     *
     * @throws AdmitException if the request is refused; nothing was taken
     */
    Sequence open(SeqRequest request) throws AdmitException;

    /**
     * Feeds each row its next pending tokens. A row with more pending than one step takes is {@link RowResult.Fed};
     * one whose pending tokens are all fed yields a choice, or the logits it asked for.
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

    /** Releases every sequence and everything resident; the model is given back. */
    @Override
    void close();
}
