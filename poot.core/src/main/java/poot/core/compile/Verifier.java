package poot.core.compile;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Inference;
import poot.api.graph.Op;
import poot.api.graph.TensorType;
import poot.api.graph.Value;

/**
 * The rules every graph keeps between passes: each value is defined once and before its use, carries the type its
 * definition infers, and everything the graph exchanges is defined. A fault prints the ten equations around it.
 */
public final class Verifier {
    private static final int CONTEXT = 5;

    private final Graph graph;
    private final String after;
    private final boolean body;
    private final Map<Integer, Value> defined = new HashMap<>();

    private Verifier(Graph graph, String after, boolean body) {
        this.graph = graph;
        this.after = after;
        this.body = body;
    }

    /**
     * Checks a whole graph, bodies of composites included.
     *
     * @param after what produced the graph, for messages
     * @throws CompileException with {@link CompileException.IllFormed} naming the rule broken
     */
    public static void check(Graph graph, String after) throws CompileException {
        new Verifier(graph, after, false).run();
    }

    private void run() throws CompileException {
        for (int i = 0; i < graph.equations().size(); i++) {
            equation(i, graph.equations().get(i));
        }
        Set<String> names = new HashSet<>();
        for (Graph.Output o : graph.outputs()) {
            known(o.value(), graph.equations().size(), "output " + o.name());
            require(names.add(o.name()), graph.equations().size(), "two outputs are named " + o.name());
        }
        names.clear();
        for (Graph.Carried c : graph.states()) {
            carried(c);
            require(names.add(c.name()), graph.equations().size(), "state " + c.name() + " is carried twice");
        }
        for (Graph.Validation v : graph.validations()) {
            known(v.ok(), graph.equations().size(), "validation " + v.what());
        }
    }

    private void equation(int at, Equation e) throws CompileException {
        for (Value v : e.inputs()) {
            known(v, at, "an operand");
        }
        require(body || !(e.op() instanceof Op.Param), at, "a parameter outside a body");
        if (e.op() instanceof Op.Composed c) {
            new Verifier(c.body(), after + ", body of " + c.composite().name(), true).run();
        }
        List<TensorType> types;
        try {
            types = Inference.infer(e.op(), e.inputs().stream().map(Value::type).toList());
        } catch (IllegalArgumentException broken) {
            throw fault(at, "ill typed: " + broken.getMessage());
        }
        require(types.equals(e.outputs().stream().map(Value::type).toList()), at, "the results should be " + types);
        for (Value v : e.outputs()) {
            require(defined.put(v.id(), v) == null, at, "%" + v.id() + " is defined twice");
        }
    }

    private void carried(Graph.Carried c) throws CompileException {
        int end = graph.equations().size();
        known(c.before(), end, "state " + c.name() + " before");
        known(c.after(), end, "state " + c.name() + " after");
        boolean leaf = graph.equations().stream().anyMatch(e ->
                e.op() instanceof Op.State s && s.name().equals(c.name()) && e.output().equals(c.before()));
        require(leaf, end, "state " + c.name() + " does not begin as the state");
    }

    private void known(Value v, int at, String role) throws CompileException {
        Value d = defined.get(v.id());
        require(d != null, at, role + " " + v + " is not defined before its use");
        require(v.equals(d), at, role + " " + v + " is defined as " + d);
    }

    private void require(boolean holds, int at, String rule) throws CompileException {
        if (!holds) {
            throw fault(at, rule);
        }
    }

    private CompileException fault(int at, String rule) {
        StringBuilder around = new StringBuilder();
        int from = Math.max(0, at - CONTEXT);
        int to = Math.min(graph.equations().size(), at + CONTEXT);
        for (int i = from; i < to; i++) {
            around.append(i == at ? "> " : "  ").append(graph.equations().get(i)).append('\n');
        }
        return new CompileException(new CompileException.IllFormed(after, rule, around.toString()));
    }
}
