package poot.step;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.Program;
import poot.api.executor.States;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Role;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.Weight;
import poot.api.model.Model;
import poot.api.model.ProgramName;
import poot.api.model.StateSpec;
import poot.api.model.StepShape;
import poot.api.model.StepSpec;
import poot.core.compile.CompileException;
import poot.core.compile.CompileOptions;
import poot.core.compile.Compiler;
import poot.oracle.Tensor;
import poot.oracleexec.Transfer;

/** Steps compiled for a backend, verified after every pass, and run by it. */
public final class ExecutorSession extends Session {
    private final SortedMap<Role, Weight> weights;
    private final Executor executor;
    private final CompileOptions options;
    private final Executable executable;
    private final Map<StepSpec, Entry> entries = new HashMap<>();
    private final States states;

    /** A session on an open backend, which the caller closes after it. */
    public ExecutorSession(Model model, SortedMap<Role, Weight> weights, StepShape base, Executor executor) throws ExecutorException {
        this(model, weights, base, executor, Mode.compile());
    }

    /** Likewise with other options of the compiler. */
    public ExecutorSession(Model model, SortedMap<Role, Weight> weights, StepShape base, Executor executor, CompileOptions options)
            throws ExecutorException {
        super(model, base);
        this.weights = weights;
        this.executor = executor;
        this.options = options;
        this.executable = executor.load(weights);
        Map<String, TensorType> types = new HashMap<>();
        model.schema().program(ProgramName.STEP).ifPresent(p -> {
            for (StateSpec s : p.states()) {
                types.putAll(s.types(base));
            }
        });
        this.states = executable.allocate(types);
    }

    @Override
    Map<String, Tensor> run(StepSpec spec, Map<String, Tensor> slots) throws TraceException, CompileException, ExecutorException {
        Entry entry = entries.get(spec);
        if (entry == null) {
            Program program = Compiler.compile(trace(spec), weights, executor.target(), options);
            entry = executable.addEntry(program);
            entries.put(spec, entry);
        }
        for (Op.Slot s : entry.program().graph().slots()) {
            Transfer.write(slots.get(s.name()), entry.input(s.name()));
        }
        entry.run(states);
        Map<String, Tensor> out = new HashMap<>();
        for (Graph.Output o : entry.program().graph().outputs()) {
            out.put(o.name(), Transfer.tensor(o.value().type(), entry.output(o.name())));
        }
        return out;
    }

    @Override
    public void close() {
        entries.values().forEach(Entry::close);
        states.close();
        executable.close();
    }
}
