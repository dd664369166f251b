package poot.families;

import java.util.Optional;
import poot.api.graph.Composite.Activation;
import poot.api.model.ConfigException;
import poot.api.model.RawConfig;
import poot.api.model.WeightException;
import poot.api.model.WeightMap;
import poot.families.components.Rotary;
import poot.families.standard.Fields;
import poot.families.standard.RopeConfig;
import poot.families.standard.StandardFamily;
import poot.families.standard.StandardParams;
import poot.families.standard.WeightNames;

/** The shorthand of a dense decoder with the usual fields and the usual tensor names. */
interface DenseFamily extends StandardFamily {
    /** The usual fields, with the family's differences. */
    StandardParams configure(Fields f) throws ConfigException;

    @Override
    default StandardParams configure(RawConfig c) throws ConfigException {
        return configure(Fields.of(c));
    }

    @Override
    default WeightMap weights(StandardParams p, WeightNames names) throws WeightException {
        return names.standard(p);
    }

    /** A gated decoder with {@code hidden_act}, which a GGUF leaves unsaid: SiLU. */
    static StandardParams.Builder dense(Fields f) throws ConfigException {
        return dense(f, RopeConfig.of(f).read());
    }

    /** The same, with queries and keys permuted for interleaved rotary pairs in a GGUF. */
    static StandardParams.Builder denseInterleaved(Fields f) throws ConfigException {
        return dense(f, RopeConfig.of(f).interleavedInGguf(true).read());
    }

    /** The same, with the given rotary embedding. */
    static StandardParams.Builder dense(Fields f, Rotary rotary) throws ConfigException {
        return f.dense(rotary, silu(f));
    }

    private static Activation silu(Fields f) throws ConfigException {
        return f.isGguf() ? Activation.SILU : f.activation("hidden_act", Optional.of(Activation.SILU));
    }
}
