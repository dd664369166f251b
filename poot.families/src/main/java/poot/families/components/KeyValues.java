package poot.families.components;

import java.util.List;
import poot.api.graph.Builder;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.Value;
import poot.api.model.ProgramName;
import poot.api.model.StateSpec;
import poot.api.model.StepInput;

/**
 * Keys and values that attention reads, this step's included.
 *
 * @param keys   [S, G, D]
 * @param values [S, G, D]
 * @param table  I32 [R, B]: the block of slots that holds positions j·block … of row r
 * @param block  slots of one block
 */
public record KeyValues(Value keys, Value values, Value table, int block) {
    /** The states a layer's cache carries: {@code layers.N.key} and {@code layers.N.value}, [slots, G, D]. */
    public static List<StateSpec> states(int layer, AttentionParams.Heads heads) {
        Shape unit = Shape.of(heads.groups(), heads.dim());
        return List.of(new StateSpec(state(layer, "key"), StateSpec.Extent.KV_SLOTS, unit),
                new StateSpec(state(layer, "value"), StateSpec.Extent.KV_SLOTS, unit));
    }

    /**
     * Writes k and v where attention reads them: into the layer's cache in a step; a stateless pass reads them as they
     * are, one block a row, where token t of a row has position t and padding follows the real tokens.
     */
    public static KeyValues write(Site at, Value k /* [R, T, G, D] */, Value v /* [R, T, G, D] */) throws TraceException {
        Builder b = at.b();
        if (at.spec().program() == ProgramName.ENCODE) {
            int[] d = k.shape().dims();
            Value table = b.iota(Shape.of(at.rows(), 1), 0);                          // [R, 1]
            return new KeyValues(b.reshape(k, d[0] * d[1], d[2], d[3]), b.reshape(v, d[0] * d[1], d[2], d[3]), table, at.tokens());
        }
        Value keys = carry(at, "key", k);                                             // [S, G, D]
        Value values = carry(at, "value", v);                                         // [S, G, D]
        return new KeyValues(keys, values, at.input(StepInput.KV_TABLE), at.shape().kvBlock());
    }

    private static Value carry(Site at, String name, Value x /* [R, T, G, D] */) throws TraceException {
        Builder b = at.b();
        Shape slots = Shape.of(at.shape().kvSlots()).concat(x.shape().slice(2, 4));
        Value before = b.state(state(at.layer(), name), new TensorType(at.shape().kv(), slots));
        Value after = b.scatter(before, at.input(StepInput.KV_WRITE), b.cast(x, at.shape().kv()));
        b.carry(state(at.layer(), name), before, after);
        return after;                                                                 // [S, G, D]
    }

    private static String state(int layer, String name) {
        return "layers." + layer + "." + name;
    }
}
