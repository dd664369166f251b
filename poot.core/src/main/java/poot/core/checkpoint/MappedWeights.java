package poot.core.checkpoint;

import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import poot.api.graph.Weight;
import poot.api.model.WeightStore;

/** Weights over memory that the checkpoint owns; closing them closes the checkpoint. */
final class MappedWeights implements WeightStore {
    private final SortedMap<String, Weight> weights;
    private final SortedSet<String> names;
    private final Runnable close;

    /** A store of weights that nobody else changes. */
    MappedWeights(NavigableMap<String, Weight> weights, Runnable close) {
        this.weights = Collections.unmodifiableSortedMap(weights);
        this.names = Collections.unmodifiableSortedSet(weights.navigableKeySet());
        this.close = close;
    }

    @Override
    public SortedSet<String> names() {
        return names;
    }

    @Override
    public Optional<Weight> find(String name) {
        return Optional.ofNullable(weights.get(name));
    }

    @Override
    public void close() {
        close.run();
    }
}
