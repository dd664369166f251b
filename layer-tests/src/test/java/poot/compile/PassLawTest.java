package poot.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.Program;
import poot.api.executor.States;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
import poot.api.graph.Graph;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.Weight;
import poot.core.compile.CompileOptions;
import poot.core.compile.Compiler;
import poot.core.compile.Pass;
import poot.core.compile.Passes;
import poot.core.compile.Verifier;
import poot.oracle.Oracle;
import poot.oracle.Tensor;
import poot.oracleexec.OracleExecutor;
import poot.oracleexec.Transfer;

/** Every pass keeps every result of random graphs bit for bit, and so does the whole compiled program. */
class PassLawTest {
    private static final int GRAPHS = 400;

    /** Elements in BF16: read as the upper half of a binary32. */
    private record Bf16() implements Format {
        @Override
        public Encoding encoding() {
            return Encoding.BF16;
        }

        @Override
        public void decode(List<MemorySegment> parts, Shape stored, long row, int column, int count, float[] out, int at) {
            for (int i = 0; i < count; i++) {
                short half = parts.get(0).get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * (row * stored.dim(-1) + column + i));
                out[at + i] = Float.intBitsToFloat(half << 16);
            }
        }
    }

    private static Map<Role, Weight> weights() {
        Map<Role, Weight> out = new HashMap<>();
        Random random = new Random(7);
        for (Role role : RandomGraphs.ROLES) {
            short[] bits = new short[RandomGraphs.D * RandomGraphs.D];
            for (int i = 0; i < bits.length; i++) {
                bits[i] = (short) (Float.floatToRawIntBits((float) random.nextGaussian()) >>> 16);
            }
            out.put(role, Weight.whole(role.path(), new Bf16(), Shape.of(RandomGraphs.D, RandomGraphs.D),
                    List.of(MemorySegment.ofArray(bits))));
        }
        return out;
    }

    @Test
    void everyPassKeepsEveryResult() throws Exception {
        Map<Role, Weight> weights = weights();
        List<Pass> passes = Passes.list(weights, new OracleExecutor().target());
        for (long seed = 0; seed < GRAPHS; seed++) {
            Graph g = RandomGraphs.graph(seed);
            Map<String, Tensor> in = RandomGraphs.inputs(seed);
            Oracle.Result expected = Oracle.run(g, weights::get, in, in);
            for (Pass pass : passes) {
                g = pass.apply(g);
                Verifier.check(g, pass.name());
                assertEquals(expected, Oracle.run(g, weights::get, in, in), "seed " + seed + " after " + pass.name());
            }
        }
    }

    @Test
    void theProgramKeepsEveryResult() throws Exception {
        Map<Role, Weight> weights = weights();
        try (Executor executor = new OracleExecutor(); Executable executable = executor.load(weights)) {
            for (long seed = 0; seed < GRAPHS; seed++) {
                Graph g = RandomGraphs.graph(seed);
                Map<String, Tensor> in = RandomGraphs.inputs(seed);
                Oracle.Result expected = Oracle.run(g, weights::get, in, in);
                Program p = Compiler.compile(g, weights, executor.target(), CompileOptions.VERIFIED);
                Map<String, TensorType> types = new HashMap<>();
                g.states().forEach(c -> types.put(c.name(), c.before().type()));
                try (Entry entry = executable.addEntry(p); States states = executable.allocate(types)) {
                    for (String name : types.keySet()) {
                        states.write(name, 0, Transfer.bytes(in.get(name)));
                    }
                    p.graph().slots().forEach(s -> entry.input(s.name()).copyFrom(Transfer.bytes(in.get(s.name()))));
                    if (!expected.failures().isEmpty()) {
                        ExecutorException refused = assertThrows(ExecutorException.class, () -> entry.run(states));
                        assertEquals(expected.failures(),
                                refused.fault() instanceof ExecutorException.Invalid i ? Map.of(i.what(), i.rows()) : Map.of());
                        continue;
                    }
                    entry.run(states);
                    for (Graph.Output o : g.outputs()) {
                        assertEquals(expected.output(o.name()), Transfer.tensor(o.value().type(), entry.output(o.name())), "seed " + seed);
                    }
                    for (Map.Entry<String, TensorType> s : types.entrySet()) {
                        assertEquals(expected.states().get(s.getKey()), Transfer.tensor(s.getValue(), states.read(s.getKey())),
                                "seed " + seed + " state " + s.getKey());
                    }
                }
            }
        }
    }

    @Test
    void passesMakeGraphsSmaller() throws Exception {
        Map<Role, Weight> weights = weights();
        int before = 0;
        int after = 0;
        for (long seed = 0; seed < 50; seed++) {
            Graph g = RandomGraphs.graph(seed);
            before += g.equations().size();
            for (Pass pass : Passes.list(weights, new OracleExecutor().target()).subList(0, 4)) {
                g = pass.apply(g);
            }
            after += g.equations().size();
        }
        assertTrue(after < before * 0.8, before + " equations became " + after);
    }
}
