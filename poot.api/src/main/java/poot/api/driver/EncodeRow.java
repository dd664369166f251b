package poot.api.driver;

import java.util.Objects;

/** One row of an encode pass: framed ids and the inputs the model declares. */
public final class EncodeRow {
    private final int[] ids;
    private final RequestInputs inputs;

    private EncodeRow(int[] ids, RequestInputs inputs) {
        this.ids = ids;
        this.inputs = Objects.requireNonNull(inputs);
    }

    /** Tokens alone. */
    public static EncodeRow of(int... ids) {
        return new EncodeRow(ids.clone(), RequestInputs.NONE);
    }

    /** This row with inputs beside its tokens: the segments of a pair, for one. */
    public EncodeRow withInputs(RequestInputs i) {
        return new EncodeRow(ids, i);
    }

    /** The ids, a fresh copy. */
    public int[] ids() {
        return ids.clone();
    }

    /** The inputs beside the tokens. */
    public RequestInputs inputs() {
        return inputs;
    }
}
