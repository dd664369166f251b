package poot.parity;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.Program;
import poot.api.executor.States;
import poot.api.graph.Builder;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Role;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.core.compile.Compiler;
import poot.oracle.Oracle;
import poot.oracle.Tensor;
import poot.oracleexec.Transfer;
import poot.step.Mode;

/** Runs graphs on a backend and on the oracle and compares every output and state. */
class Judge {
    private final Opening backend;

    /** Over a backend, opened for each graph. */
    Judge(Opening backend) {
        this.backend = backend;
    }

    /** Opens what is judged. */
    interface Opening {
        Executor open() throws ExecutorException;
    }

    /** Records what is judged; the operands are slots. */
    interface Body {
        List<Value> trace(Builder b, List<Value> in) throws TraceException;
    }

    /** An operation over the given operands. */
    void op(Op op, float tolerance, Tensor... in) throws Exception {
        check(op.toString(), tolerance, (b, v) -> b.applyAll(op, v), in);
    }

    /** What {@code body} records over the given operands, without weights. */
    void check(String what, float tolerance, Body body, Tensor... in) throws Exception {
        Builder b = Builder.with(TraceLimits.DEFAULT);
        Map<String, Tensor> slots = new HashMap<>();
        List<Value> operands = new ArrayList<>();
        for (int i = 0; i < in.length; i++) {
            slots.put("in" + i, in[i]);
            operands.add(b.slot("in" + i, in[i].type()));
        }
        List<Value> out = body.trace(b, operands);
        for (int i = 0; i < out.size(); i++) {
            b.output("out" + i, out.get(i));
        }
        graph(what, b.finish(), Map.of(), slots, tolerance);
    }

    /** A graph whose slots and states are given by name; run twice, so that nothing depends on fresh memory. */
    void graph(String what, Graph g, Map<Role, Weight> weights, Map<String, Tensor> in, float tolerance) throws Exception {
        Oracle.Result expected = Oracle.run(g, weights::get, in, in);
        try (Executor executor = backend.open(); Executable executable = executor.load(weights)) {
            Program p = Compiler.compile(g, weights, executor.target(), Mode.compile());
            Map<String, TensorType> types = new HashMap<>();
            g.states().forEach(c -> types.put(c.name(), c.before().type()));
            try (Entry entry = executable.addEntry(p); States states = executable.allocate(types)) {
                for (int run = 0; run < 2; run++) {
                    for (String name : types.keySet()) {
                        states.write(name, 0, Transfer.bytes(in.get(name)));
                    }
                    p.graph().slots().forEach(s -> entry.input(s.name()).copyFrom(Transfer.bytes(in.get(s.name()))));
                    entry.run(states);
                    for (Graph.Output o : g.outputs()) {
                        Tensor actual = Transfer.tensor(o.value().type(), entry.output(o.name()));
                        CpuJudge.near(what + ", " + o.name() + ", run " + run, expected.output(o.name()), actual, tolerance);
                    }
                    for (Map.Entry<String, TensorType> s : types.entrySet()) {
                        Tensor actual = Transfer.tensor(s.getValue(), states.read(s.getKey()));
                        CpuJudge.near(what + ", state " + s.getKey(), expected.states().get(s.getKey()), actual, tolerance);
                    }
                }
            }
        }
    }
}
