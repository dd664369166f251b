package poot.api.model;

import java.util.Optional;
import java.util.SortedSet;
import poot.api.graph.Weight;

/**
 * The tensors of one checkpoint by the checkpoint's own names: mapped, never decoded. A linear stored in several
 * parts (GPTQ, AWQ, FP8 with scales) appears once, under its usual {@code .weight} name. The store owns the mapped
 * memory; a {@link Weight} is valid until the store closes.
 */
public interface WeightStore extends AutoCloseable {
    /** The names of all logical tensors. */
    SortedSet<String> names();

    /** The tensor of that name, whole. */
    Optional<Weight> find(String name);

    /** Unmaps everything. */
    @Override
    void close();
}
