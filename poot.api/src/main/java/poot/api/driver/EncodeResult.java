package poot.api.driver;

/** What an encode pass gives for one row. */
public sealed interface EncodeResult {
    /** An embedding, [D]. */
    record Embedding(float[] vector) implements EncodeResult {}

    /** A raw score. */
    record Score(float score) implements EncodeResult {}

    /** The row failed, and only it. */
    record Failed(StepFault fault) implements EncodeResult {}
}
