package poot.core.compile;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import poot.api.executor.Kernel;
import poot.api.executor.Kernel.Kind;
import poot.api.executor.Program;
import poot.api.graph.Builder;
import poot.api.graph.ElementType;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Role;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;

/** Kernels of several equations that keep no form, or give out too little, are found. */
class PlanVerifierTest {
    private final Builder b = Builder.with(TraceLimits.DEFAULT);

    private Value slot(String name, int... dims) throws TraceException {
        return b.slot(name, TensorType.of(ElementType.F32, dims));
    }

    private static Kernel kernel(Graph g, Kind kind, long rows, List<Value> inputs, List<Value> outputs) {
        List<Equation> run = g.equations().stream().filter(e -> !GroupKernels.resident(e.op())).toList();
        return new Kernel(kind, run, inputs, outputs, rows);
    }

    private static void refused(Graph g, Kernel k, String rule) {
        CompileException e = assertThrows(CompileException.class,
                () -> PlanVerifier.check(new Program(g, List.of(k), PlanBuffers.of(g, List.of(k))), "a test"));
        assertInstanceOf(CompileException.IllFormed.class, e.fault());
        assertTrue(e.getMessage().contains(rule), e.getMessage());
    }

    private static void kept(Graph g, Kernel k) throws CompileException {
        PlanVerifier.check(new Program(g, List.of(k), PlanBuffers.of(g, List.of(k))), "a test");
    }

    @Test
    void rowsThatNeedOneAnotherAreNoRowKernel() throws Exception {
        Value x = slot("x", 4, 3);
        Value y = b.sub(x, b.sum(x, 0));
        b.output("y", y);
        Graph g = b.finish();
        kept(g, kernel(g, Kind.ROW, 1, List.of(x), List.of(y)));
        refused(g, kernel(g, Kind.ROW, 4, List.of(x), List.of(y)), "do not form a kernel");
        refused(g, kernel(g, Kind.POINTWISE, 1, List.of(x), List.of(y)), "do not form a kernel");
    }

    @Test
    void anEpilogueHasTheProductsShapeAndTheProductAWeight() throws Exception {
        Value x = slot("x", 4, 8);
        Value w = b.weight(Role.of("w"), 6, 8);
        Value y = b.tanh(b.matMulTransposed(x, w));
        b.output("y", y);
        Graph g = b.finish();
        kept(g, kernel(g, Kind.CONTRACTION, 1, List.of(x, w), List.of(y)));
        Builder other = Builder.with(TraceLimits.DEFAULT);
        Value a = other.slot("a", TensorType.of(ElementType.F32, 4, 8));
        Value z = other.tanh(other.matMulTransposed(a, a));
        other.output("z", z);
        Graph twice = other.finish();
        refused(twice, kernel(twice, Kind.CONTRACTION, 1, List.of(a), List.of(z)), "do not form a kernel");
    }

    @Test
    void aCacheThatTheKernelReadsIsNotWrittenInIt() throws Exception {
        Value rows = b.slot("rows", TensorType.of(ElementType.I32, 4));
        Value x = slot("x", 4, 3);
        Value cache = b.state("cache", TensorType.of(ElementType.F32, 9, 3));
        Value after = b.scatter(cache, rows, x);
        Value y = b.gather(after, rows);
        b.carry("cache", cache, after);
        b.output("y", y);
        Graph g = b.finish();
        refused(g, kernel(g, Kind.ROW, 4, List.of(cache, rows, x), List.of(after, y)), "do not form a kernel");
    }

    @Test
    void whatIsReadElsewhereIsGivenOut() throws Exception {
        Value x = slot("x", 4);
        Value y = b.tanh(x);
        Value z = b.tanh(y);
        b.output("y", y);
        b.output("z", z);
        Graph g = b.finish();
        Equation first = g.equations().stream().filter(e -> e.outputs().contains(y)).findFirst().orElseThrow();
        Equation second = g.equations().stream().filter(e -> e.outputs().contains(z)).findFirst().orElseThrow();
        List<Kernel> kernels = List.of(new Kernel(Kind.POINTWISE, List.of(first), List.of(x), List.of(), 1),
                new Kernel(Kind.POINTWISE, List.of(second), List.of(y), List.of(z), 1));
        CompileException e = assertThrows(CompileException.class,
                () -> PlanVerifier.check(new Program(g, kernels, PlanBuffers.of(g, kernels)), "a test"));
        assertTrue(e.getMessage().contains("no kernel gives it out"), e.getMessage());
        refused(g, kernel(g, Kind.POINTWISE, 1, List.of(x), List.of(z)), "result of the graph");
    }

    @Test
    void operandsComeBeforeTheirUse() throws Exception {
        Value x = slot("x", 4);
        Value y = b.tanh(x);
        b.output("y", y);
        Graph g = b.finish();
        refused(g, kernel(g, Kind.POINTWISE, 1, List.of(), List.of(y)), "before it is made");
        assertTrue(g.equations().getFirst().op() instanceof Op.Slot);
    }
}
