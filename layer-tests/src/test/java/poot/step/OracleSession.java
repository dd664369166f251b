package poot.step;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import poot.api.graph.Graph;
import poot.api.graph.Role;
import poot.api.graph.TraceException;
import poot.api.graph.Weight;
import poot.api.model.Model;
import poot.api.model.ProgramName;
import poot.api.model.StateSpec;
import poot.api.model.StepShape;
import poot.api.model.StepSpec;
import poot.oracle.Oracle;
import poot.oracle.Tensor;

/** Steps evaluated by the oracle from the traced graph itself. */
public final class OracleSession extends Session {
    private final Oracle oracle;
    private final Map<StepSpec, Graph> graphs = new HashMap<>();
    private final Map<String, Tensor> states = new HashMap<>();

    /** A session whose steps have the layout, capacity and cache type of {@code base}. */
    public OracleSession(Model model, SortedMap<Role, Weight> weights, StepShape base) {
        super(model, base);
        this.oracle = Oracle.over(weights::get);
        model.schema().program(ProgramName.STEP).ifPresent(p -> {
            for (StateSpec s : p.states()) {
                s.types(base).forEach((name, type) -> states.put(name, Tensor.zeros(type)));
            }
        });
    }

    @Override
    Map<String, Tensor> run(StepSpec spec, Map<String, Tensor> slots) throws TraceException {
        Graph graph = graphs.get(spec);
        if (graph == null) {
            graph = trace(spec);
            graphs.put(spec, graph);
        }
        Oracle.Result result = oracle.run(graph, slots, states);
        if (!result.failures().isEmpty()) {
            throw new IllegalStateException("validations failed: " + result.failures());
        }
        states.putAll(result.states());
        return result.outputs();
    }
}
