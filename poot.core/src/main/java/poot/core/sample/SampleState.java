package poot.core.sample;

import poot.api.graph.ElementType;
import poot.api.graph.TensorType;
import poot.api.model.StepShape;

/** What the device keeps for each sequence of the pool; S sequences, V vocabulary. */
public enum SampleState {
    /**
     * F32 [S · V]: 0.5 for a token of the prompt, plus 1 for every time the token was fed as output. So a token was
     * seen when its count is above 0, and its output count is the whole part.
     */
    COUNTS("sample.counts"),
    /** F32 [S · V]: the logit bias. */
    BIAS("sample.bias");

    /** What a token of the prompt adds to its count. */
    public static final float PROMPT = 0.5f;

    private final String state;

    SampleState(String state) {
        this.state = state;
    }

    /** The state's name. */
    public String state() {
        return state;
    }

    /** The state's type at a step shape. */
    public TensorType type(StepShape s, int vocabulary) {
        return TensorType.of(ElementType.F32, Math.multiplyExact(s.layout().sequences(), vocabulary));
    }
}
