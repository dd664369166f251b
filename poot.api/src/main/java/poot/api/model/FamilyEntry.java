package poot.api.model;

import java.util.List;
import java.util.Objects;

/**
 * One family in the registry: data, and the function that builds its model.
 *
 * @param family its name
 * @param keys   the checkpoint keys that select it
 * @param build  builds the model's parts from a configuration and the weights
 */
public record FamilyEntry(String family, List<FamilyKey> keys, Build build) {
    /** Builds the parts of one checkpoint; reads tensor shapes, never decodes a weight. */
    @FunctionalInterface
    public interface Build {
        /** The parts of the model that {@code config} and {@code weights} describe. */
        ModelParts build(RawConfig config, WeightStore weights) throws LoadException;
    }

    public FamilyEntry {
        Objects.requireNonNull(family);
        Objects.requireNonNull(build);
        keys = List.copyOf(keys);
    }
}
