package poot.api.driver;

/** What a step did with one row; results come in the order of the work. */
public sealed interface RowResult {
    /** The row's sequence. */
    Sequence sequence();

    /** Prompt tokens were fed and more are pending. */
    record Fed(Sequence sequence, int pending) implements RowResult {}

    /** Everything pending was fed, and this token chosen; commit it or another. */
    record Picked(Sequence sequence, Pick pick) implements RowResult {}

    /** Everything pending was fed; the logits of the next token, [vocabulary]. */
    record Logits(Sequence sequence, float[] logits) implements RowResult {}

    /** The row was not fed or failed; where its sequence's phase is FAILED it can only be released. */
    record Failed(Sequence sequence, StepFault fault) implements RowResult {}
}
