package poot.core.kernel.plan;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import poot.api.executor.ExecutorException;
import poot.api.executor.Program;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Value;

/** Who reads the values of a program, views seen through. */
final class Readers {
    private static final int RESULT = -1;

    private final Places places;
    private final Map<Integer, Set<Integer>> kernels = new HashMap<>();

    private Readers(Places places) {
        this.places = places;
    }

    static Readers of(Program program, Places places) throws ExecutorException {
        Readers out = new Readers(places);
        for (int i = 0; i < program.kernels().size(); i++) {
            for (Equation e : program.kernels().get(i).equations()) {
                if (!(e.op() instanceof Op.Reshape)) {
                    for (Value v : e.inputs()) {
                        out.add(v, i);
                    }
                }
            }
        }
        Graph g = program.graph();
        for (Value v : Stream.of(g.outputs().stream().map(Graph.Output::value), g.states().stream().map(Graph.Carried::after),
                g.validations().stream().map(Graph.Validation::ok)).flatMap(s -> s).toList()) {
            out.add(v, RESULT);
        }
        return out;
    }

    private void add(Value v, int kernel) throws ExecutorException {
        kernels.computeIfAbsent(places.root(v).id(), id -> new HashSet<>()).add(kernel);
    }

    /** Whether one kernel, and nothing else, reads a value. */
    boolean only(Value v, int kernel) throws ExecutorException {
        return kernels.getOrDefault(places.root(v).id(), Set.of()).equals(Set.of(kernel));
    }

    /** Whether a value is read after a kernel, or is a result. */
    boolean after(Value v, int kernel) throws ExecutorException {
        return kernels.getOrDefault(places.root(v).id(), Set.of()).stream().anyMatch(k -> k > kernel || k == RESULT);
    }
}
