package poot.api.model;

import poot.api.graph.Builder;
import poot.api.graph.ElementType;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.Value;

/** The values a driver computes from its own geometry, the same for every family. R rows, T tokens, B table width. */
public enum StepInput {
    /** I32 [R, T]: token ids; 0 where padded. */
    TOKENS("tokens", ElementType.I32),
    /** I32 [R, T]: absolute positions; -1 where padded. */
    POSITIONS("positions", ElementType.I32),
    /** BOOL [R, T]: true for a real token. */
    REAL("real", ElementType.BOOL),
    /** I32 [R]: index of the last real token of each row, in [0, T). */
    LAST("last", ElementType.I32),
    /** I32 [R, T]: cache slot each token is written to; -1 where padded. */
    KV_WRITE("kv_write", ElementType.I32),
    /** I32 [R, B]: cache block that holds positions j·block … of the row; -1 where there is none. */
    KV_TABLE("kv_table", ElementType.I32),
    /** I32 [R]: row of each recurrent state pool; -1 for a padding row. */
    STATE_ROWS("state_rows", ElementType.I32);

    private final String slot;
    private final ElementType element;

    StepInput(String slot, ElementType element) {
        this.slot = slot;
        this.element = element;
    }

    /** The slot's name in a graph. */
    public String slot() {
        return slot;
    }

    /** The slot's type at a step shape. */
    public TensorType type(StepShape s) {
        return switch (this) {
            case TOKENS, POSITIONS, REAL, KV_WRITE -> TensorType.of(element, s.rows(), s.tokens());
            case LAST, STATE_ROWS -> TensorType.of(element, s.rows());
            case KV_TABLE -> TensorType.of(element, s.rows(), s.tableWidth());
        };
    }

    /** The slot as a value of the graph being traced. */
    public Value in(Builder b, StepShape s) throws TraceException {
        return b.slot(slot, type(s));
    }
}
