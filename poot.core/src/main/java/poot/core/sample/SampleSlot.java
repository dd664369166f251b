package poot.core.sample;

import poot.api.graph.ElementType;
import poot.api.graph.TensorType;
import poot.api.model.StepShape;

/** What the sampling suffix reads from the host each step. R rows, T tokens. */
public enum SampleSlot {
    /** F32 [R]: temperature; 0 for the most likely token. */
    TEMPERATURE("sample.temperature", ElementType.F32, 1),
    /** I32 [R]: candidates kept by top-k; the vocabulary where it is off. */
    TOP_K("sample.top_k", ElementType.I32, 1),
    /** F32 [R]: top-p; 2 where it is off, which no sum of probabilities reaches. */
    TOP_P("sample.top_p", ElementType.F32, 1),
    /** F32 [R]: min-p; 0 where it is off. */
    MIN_P("sample.min_p", ElementType.F32, 1),
    /** F32 [R]: repetition penalty; 1 where it is off. */
    REPETITION("sample.repetition", ElementType.F32, 1),
    /** F32 [R]: presence penalty. */
    PRESENCE("sample.presence", ElementType.F32, 1),
    /** F32 [R]: frequency penalty. */
    FREQUENCY("sample.frequency", ElementType.F32, 1),
    /** I32 [R, T]: where in the flat counts each fed output token is counted; -1 for prompt and padding tokens. */
    COUNTED("sample.counted", ElementType.I32, 0),
    /** U32 [R, 2]: the request's seed, low word first. */
    SEED("sample.seed", ElementType.U32, 2),
    /** U32 [R, 2]: the position the chosen token will have, then 0. */
    COUNTER("sample.counter", ElementType.U32, 2);

    private final String slot;
    private final ElementType element;
    private final int width;

    SampleSlot(String slot, ElementType element, int width) {
        this.slot = slot;
        this.element = element;
        this.width = width;
    }

    /** The slot's name in a graph. */
    public String slot() {
        return slot;
    }

    /** The slot's type at a step shape. */
    public TensorType type(StepShape s) {
        return switch (width) {
            case 0 -> TensorType.of(element, s.rows(), s.tokens());
            case 1 -> TensorType.of(element, s.rows());
            default -> TensorType.of(element, s.rows(), width);
        };
    }
}
