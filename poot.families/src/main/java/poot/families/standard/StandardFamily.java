package poot.families.standard;

import java.util.List;
import poot.api.model.ConfigException;
import poot.api.model.ConfigSource;
import poot.api.model.FamilyEntry;
import poot.api.model.FamilyKey;
import poot.api.model.LoadException;
import poot.api.model.ModelParts;
import poot.api.model.RawConfig;
import poot.api.model.WeightException;
import poot.api.model.WeightMap;
import poot.api.model.WeightStore;

/** A family of decoders of the standard shape: its keys, a config reader, a weight-name table. */
public interface StandardFamily {
    /** The family's name. */
    String name();

    /** The checkpoint keys that select it. */
    List<FamilyKey> keys();

    /**
     * Reads the configuration once, checking every value.
     *
     * @throws ConfigException naming the key that is missing, out of range, or asks for what the family does not trace
     */
    StandardParams configure(RawConfig c) throws ConfigException;

    /** Which tensor, or which rows of one, feeds each role. */
    WeightMap weights(StandardParams p, WeightNames names) throws WeightException;

    /** The family's row in a registry. */
    default FamilyEntry entry() {
        return new FamilyEntry(name(), keys(), this::build);
    }

    private ModelParts build(RawConfig c, WeightStore store) throws LoadException {
        StandardParams configured = configure(c);
        Refusals.unreadKeys(c);
        WeightNames names = WeightNames.of(c.source(), store);
        StandardParams p = names.settle(configured, c.has("quantization_config"));
        WeightMap map = weights(p, names);
        Refusals.unreadTensors(store.names(), map, t -> p.head().tied() && c.source() == ConfigSource.HF && t.endsWith("lm_head.weight"));
        return ModelParts.of(new StandardModel(name(), p, map));
    }
}
