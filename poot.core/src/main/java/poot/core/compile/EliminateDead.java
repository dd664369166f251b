package poot.core.compile;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Value;

/**
 * {@code y = op(a), y unread  ->  nothing}. An equation stays if an output, a carried state (its begin and its end)
 * or a validation depends on it. Bit-exact.
 */
record EliminateDead() implements Pass {
    @Override
    public Graph apply(Graph graph) {
        Map<Integer, Equation> definition = new HashMap<>();
        graph.equations().forEach(e -> e.outputs().forEach(v -> definition.put(v.id(), e)));
        Deque<Value> open = new ArrayDeque<>();
        graph.outputs().forEach(o -> open.add(o.value()));
        graph.states().forEach(c -> Collections.addAll(open, c.before(), c.after()));
        graph.validations().forEach(v -> open.add(v.ok()));
        Set<Integer> seen = new HashSet<>();
        Set<Equation> live = Collections.newSetFromMap(new IdentityHashMap<>());
        while (!open.isEmpty()) {
            Value v = open.remove();
            if (seen.add(v.id())) {
                Equation e = definition.get(v.id());
                if (e != null && live.add(e)) {
                    open.addAll(e.inputs());
                }
            }
        }
        List<Equation> kept = new ArrayList<>(graph.equations());
        kept.removeIf(e -> !live.contains(e));
        return new Graph(kept, graph.outputs(), graph.states(), graph.validations());
    }
}
