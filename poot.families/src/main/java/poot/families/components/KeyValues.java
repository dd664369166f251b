package poot.families.components;

import java.util.List;
import java.util.Optional;
import poot.api.graph.Builder;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.TraceException.UnsupportedStep;
import poot.api.graph.Value;
import poot.api.model.KvForm;
import poot.api.model.ProgramName;
import poot.api.model.StateSpec;
import poot.api.model.StepInput;

/**
 * Keys and values that attention reads, this step's included.
 *
 * @param keys   where keys lie
 * @param values where values lie
 * @param table  I32 [R, B]: the block of slots that holds positions j·block … of row r
 * @param block  slots of one block
 */
public record KeyValues(Pool keys, Pool values, Value table, int block) {
    /**
     * Keys or values, slot by slot.
     *
     * @param slots  F32, F16 or BF16 [S, G, D]; where there are scales, I32 words of four codes [S, G, D/4]
     * @param scales F16 [S, G, D/32]
     */
    public record Pool(Value slots, Optional<Value> scales) {
        /**
         * Keys or values as that form stores them.
         *
         * @throws TraceException {@code UnsupportedStep} if D must be a multiple of {@link KvForm#GROUP} and is not
         */
        public static Pool of(Builder b, Value x /* F32 [.., G, D] */, KvForm form) throws TraceException {
            if (form.plain().isPresent()) {
                return new Pool(b.cast(x, form.element()), Optional.empty());
            }
            if (x.shape().dim(-1) % KvForm.GROUP != 0) {
                throw new TraceException(new UnsupportedStep("a cache in " + form, "heads have " + x.shape().dim(-1)
                        + " features and must have a multiple of " + KvForm.GROUP + "; cache in F16, BF16 or F32"));
            }
            Codes.Packed p = Codes.pack(b, x);
            return new Pool(p.words(), Optional.of(p.scales()));
        }
    }

    /** The states a layer's cache carries: {@code layers.N.key} and {@code layers.N.value}, [slots, G, D], in the step's form. */
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
            Pool keys = Pool.of(b, b.reshape(k, d[0] * d[1], d[2], d[3]), KvForm.F32);
            Pool values = Pool.of(b, b.reshape(v, d[0] * d[1], d[2], d[3]), KvForm.F32);
            return new KeyValues(keys, values, table, at.tokens());
        }
        return new KeyValues(carry(at, "key", k), carry(at, "value", v), at.input(StepInput.KV_TABLE), at.shape().kvBlock());
    }

    private static Pool carry(Site at, String name, Value x /* [R, T, G, D] */) throws TraceException {
        String state = state(at.layer(), name);
        Pool fresh = Pool.of(at.b(), x, at.shape().kv());                             // [R, T, G, ..]
        if (fresh.scales().isEmpty()) {
            return new Pool(scatter(at, state, fresh.slots()), Optional.empty());     // [S, G, D]
        }
        Value words = scatter(at, StateSpec.codes(state), fresh.slots());             // [S, G, D/4]
        Value scales = scatter(at, StateSpec.scales(state), fresh.scales().get());    // [S, G, D/32]
        return new Pool(words, Optional.of(scales));
    }

    private static Value scatter(Site at, String state, Value x /* [R, T, G, ..] */) throws TraceException {
        Builder b = at.b();
        Shape slots = Shape.of(at.shape().kvSlots()).concat(x.shape().slice(2, 4));
        Value before = b.state(state, new TensorType(x.element(), slots));
        Value after = b.scatter(before, at.input(StepInput.KV_WRITE), x);
        b.carry(state, before, after);
        return after;                                                                 // [S, G, ..]
    }

    private static String state(int layer, String name) {
        return "layers." + layer + "." + name;
    }
}
