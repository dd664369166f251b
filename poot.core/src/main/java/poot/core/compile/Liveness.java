package poot.core.compile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import poot.api.executor.Kernel;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Value;

/** Where each value of a grouped graph is made and last read, with reshapes seen through. */
final class Liveness {
    /** Read after the last kernel: an output, a validation, the end of a state. */
    static final int END = Integer.MAX_VALUE;

    private final Map<Integer, Equation> definition = new HashMap<>();
    private final Map<Integer, Value> root = new HashMap<>();
    private final Map<Integer, Integer> lastUse = new HashMap<>();
    private final Map<Integer, Integer> madeBy = new HashMap<>();

    Liveness(Graph graph, List<Kernel> kernels) {
        for (Equation e : graph.equations()) {
            for (Value v : e.outputs()) {
                definition.put(v.id(), e);
                root.put(v.id(), e.op() instanceof Op.Reshape ? root(e.inputs().get(0)) : v);
            }
        }
        for (int k = 0; k < kernels.size(); k++) {
            for (Value v : kernels.get(k).inputs()) {
                lastUse.merge(root(v).id(), k, Math::max);
            }
            for (Value v : Temporaries.made(kernels.get(k), this::definition)) {
                madeBy.put(v.id(), k);
            }
        }
        graph.outputs().forEach(o -> lastUse.put(root(o.value()).id(), END));
        graph.states().forEach(c -> lastUse.put(root(c.after()).id(), END));
        graph.validations().forEach(v -> lastUse.put(root(v.ok()).id(), END));
    }

    /** The value whose bytes {@code v} is a view of. */
    Value root(Value v) {
        return root.get(v.id());
    }

    /** The equation that defines {@code v}. */
    Equation definition(Value v) {
        return definition.get(v.id());
    }

    /** The kernel that makes a value. */
    int maker(Value v) {
        return madeBy.get(v.id());
    }

    /** Whether a kernel makes a value. */
    boolean made(Value v) {
        return madeBy.containsKey(v.id());
    }

    /** The last kernel that reads a root value; the one that makes it if nobody does. */
    int lastUse(Value rootValue) {
        return lastUse.getOrDefault(rootValue.id(), madeBy.getOrDefault(rootValue.id(), -1));
    }

    /**
     * The scatters that lead from a state's begin to its end and may all write the state's own buffer: each reads the
     * value before it, which nobody reads later. Empty if one of them may not.
     */
    List<Value> inPlace(Graph.Carried state) {
        List<Value> chain = new ArrayList<>();
        Value v = root(state.after());
        while (!v.equals(state.before())) {
            Optional<Value> before = scattered(v);
            if (before.isEmpty() || lastUse(before.get()) != madeBy.get(v.id())) {
                return List.of();
            }
            chain.add(v);
            v = before.get();
        }
        return chain;
    }

    /** The operand of the scatter that made {@code v}, if its updates and indices are other values. */
    private Optional<Value> scattered(Value v) {
        Equation e = definition(v);
        if (!(e.op() instanceof Op.ScatterUpdate)) {
            return Optional.empty();
        }
        Value operand = root(e.inputs().get(0));
        boolean aliased = operand.equals(root(e.inputs().get(1))) || operand.equals(root(e.inputs().get(2)));
        return aliased ? Optional.empty() : Optional.of(operand);
    }
}
