package poot.api.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.Weight;

/** Which checkpoint tensor, or which rows of one, feeds each role of a model. Immutable. */
public final class WeightMap {
    private final SortedMap<Role, WeightView> views;

    private WeightMap(SortedMap<Role, WeightView> views) {
        this.views = Collections.unmodifiableSortedMap(views);
    }

    /** An empty map to fill. */
    public static Builder builder() {
        return new Builder();
    }

    /** The roles and their views, sorted by role. */
    public SortedMap<Role, WeightView> views() {
        return views;
    }

    /** Roles that read rows of a tensor, by tensor; used to tell which tensors of a checkpoint nobody reads. */
    public Set<String> tensors() {
        Set<String> out = new HashSet<>();
        views.values().forEach(v -> out.add(v.tensor()));
        return out;
    }

    /**
     * Every role's stored weight.
     *
     * @throws WeightException naming the first tensor that is missing or of another shape
     */
    public SortedMap<Role, Weight> bind(WeightStore store) throws WeightException {
        SortedMap<Role, Weight> out = new TreeMap<>();
        for (Map.Entry<Role, WeightView> e : views.entrySet()) {
            out.put(e.getKey(), bind(store, e.getKey(), e.getValue()));
        }
        return out;
    }

    private static Weight bind(WeightStore store, Role role, WeightView view) throws WeightException {
        Optional<Weight> found = store.find(view.tensor());
        if (found.isEmpty()) {
            throw new WeightException(new WeightException.Missing(view.tensor(), role));
        }
        Weight whole = found.get();
        Shape expected = switch (view) {
            case WeightView.Whole w -> w.shape();
            case WeightView.RowRange r -> r.shape().with(0, r.of());
        };
        if (!whole.shape().equals(expected)) {
            throw new WeightException(new WeightException.WrongShape(view.tensor(), expected, whole.shape()));
        }
        return switch (view) {
            case WeightView.Whole w -> whole;
            case WeightView.RowRange r -> whole.rows(r.from(), r.to());
        };
    }

    /** Collects views; a role is given once. */
    public static final class Builder {
        private final SortedMap<Role, WeightView> views = new TreeMap<>();

        private Builder() {}

        /** A whole tensor of the given shape. */
        public Builder whole(Role role, String tensor, int... dims) {
            return put(role, new WeightView.Whole(tensor, Shape.of(dims)));
        }

        /** Rows {@code from} to {@code to} of a tensor whose first axis has {@code of}; dims are those of the range. */
        public Builder rows(Role role, String tensor, int from, int to, int of, int... dims) {
            return put(role, new WeightView.RowRange(tensor, from, to, of, Shape.of(dims)));
        }

        /** Any view. */
        public Builder put(Role role, WeightView view) {
            if (views.putIfAbsent(role, view) != null) {
                throw new IllegalArgumentException("role " + role + " is given twice");
            }
            return this;
        }

        /** The roles given so far. */
        public List<Role> roles() {
            return new ArrayList<>(views.keySet());
        }

        /** The finished map. */
        public WeightMap build() {
            return new WeightMap(new TreeMap<>(views));
        }
    }
}
