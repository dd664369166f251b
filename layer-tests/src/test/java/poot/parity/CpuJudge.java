package poot.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.Program;
import poot.api.executor.States;
import poot.api.graph.Builder;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.backend.cpu.CpuExecutorProvider;
import poot.core.compile.Compiler;
import poot.oracle.Oracle;
import poot.oracle.Tensor;
import poot.oracleexec.Transfer;
import poot.step.Mode;

/** Runs a graph on the CPU and on the oracle and compares every output and state. */
final class CpuJudge {
    private CpuJudge() {}

    /** Records what is judged; the operands are slots. */
    interface Body {
        List<Value> trace(Builder b, List<Value> in) throws TraceException;
    }

    static Executor open() throws ExecutorException {
        return new CpuExecutorProvider().open(new ExecutorOptions(3));
    }

    /** An operation over the given operands. */
    static void op(Op op, float tolerance, Tensor... in) throws Exception {
        check(op.toString(), tolerance, (b, v) -> b.applyAll(op, v), in);
    }

    /** What {@code body} records over the given operands, without weights. */
    static void check(String what, float tolerance, Body body, Tensor... in) throws Exception {
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
    static void graph(String what, Graph g, Map<Role, Weight> weights, Map<String, Tensor> in, float tolerance) throws Exception {
        Oracle.Result expected = Oracle.run(g, weights::get, in, in);
        try (Executor executor = open(); Executable executable = executor.load(weights)) {
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
                        near(what + ", " + o.name() + ", run " + run, expected.output(o.name()), actual, tolerance);
                    }
                    for (Map.Entry<String, TensorType> s : types.entrySet()) {
                        Tensor actual = Transfer.tensor(s.getValue(), states.read(s.getKey()));
                        near(what + ", state " + s.getKey(), expected.states().get(s.getKey()), actual, tolerance);
                    }
                }
            }
        }
    }

    /** Words equal; floats within {@code tolerance} of the larger of 1 and the expected magnitude. */
    static void near(String what, Tensor expected, Tensor actual, float tolerance) {
        assertEquals(expected.type(), actual.type(), what);
        if (!expected.element().isFloat()) {
            assertEquals(expected, actual, what);
            return;
        }
        for (int i = 0; i < expected.count(); i++) {
            float e = expected.floats()[i];
            float a = actual.floats()[i];
            boolean near = e == a || Float.isNaN(e) && Float.isNaN(a) || Math.abs(e - a) <= tolerance * Math.max(1, Math.abs(e));
            assertTrue(near, what + ", element " + i + " of " + expected.type() + ": " + a + ", not " + e);
        }
    }

    /** Normal numbers. */
    static Tensor floats(Random random, int... dims) {
        Shape s = Shape.of(dims);
        float[] v = new float[(int) s.count()];
        for (int i = 0; i < v.length; i++) {
            v[i] = (float) random.nextGaussian();
        }
        return Tensor.f32(s, v);
    }

    /** Integers in [from, to). */
    static Tensor ints(Random random, int from, int to, int... dims) {
        Shape s = Shape.of(dims);
        return Tensor.i32(s, random.ints(s.count(), from, to).toArray());
    }
}
