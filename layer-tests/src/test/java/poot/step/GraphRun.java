package poot.step;

import java.util.HashMap;
import java.util.Map;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.executor.Program;
import poot.api.executor.States;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Role;
import poot.api.graph.Weight;
import poot.core.compile.Compiler;
import poot.oracle.Tensor;
import poot.oracleexec.Transfer;

/** One stateless graph compiled for a backend and run once. */
public final class GraphRun {
    private GraphRun() {}

    /** The outputs of a graph over its slots. */
    public static Map<String, Tensor> run(Graph graph, Map<Role, Weight> weights, Map<String, Tensor> slots, Executor executor)
            throws Exception {
        Program program = Compiler.compile(graph, weights, executor.target(), Mode.compile());
        try (Executable executable = executor.load(weights); Entry entry = executable.addEntry(program);
                States none = executable.allocate(Map.of())) {
            for (Op.Slot s : program.graph().slots()) {
                Transfer.write(slots.get(s.name()), entry.input(s.name()));
            }
            entry.run(none);
            Map<String, Tensor> out = new HashMap<>();
            program.graph().outputs().forEach(o -> out.put(o.name(), Transfer.tensor(o.value().type(), entry.output(o.name()))));
            return out;
        }
    }
}
