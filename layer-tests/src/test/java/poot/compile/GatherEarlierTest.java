package poot.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import poot.api.executor.Target;
import poot.api.graph.Builder;
import poot.api.graph.ElementType;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.core.compile.Pass;
import poot.core.compile.Passes;
import poot.core.compile.Verifier;
import poot.oracle.Oracle;
import poot.oracle.Tensor;
import poot.oracleexec.OracleExecutor;

/** Rows that are gathered at the end are gathered before what computes each of them. */
class GatherEarlierTest {
    private static final int TOKENS = 6;
    private static final int D = 6;

    /** Residual, product of as many columns as there are rows, activation, product back, then the rows wanted. */
    private static Graph graph(boolean alsoRead) throws TraceException {
        Builder b = Builder.with(TraceLimits.DEFAULT);
        Value x = b.slot("x", TensorType.of(ElementType.F32, 1, TOKENS, D));
        Value up = b.slot("up", TensorType.of(ElementType.F32, TOKENS, D));
        Value down = b.slot("down", TensorType.of(ElementType.F32, D, TOKENS));
        Value bias = b.slot("bias", TensorType.of(ElementType.F32, TOKENS));
        Value h = b.add(b.matMulTransposed(x, up), bias);
        Value y = b.add(x, b.matMulTransposed(b.mul(h, h), down));
        Value rows = b.apply(new Op.Reshape(Shape.of(TOKENS, D)), y);
        b.output("y", b.gather(rows, b.slot("i", TensorType.of(ElementType.I32, 2))));
        if (alsoRead) {
            b.output("h", h);
        }
        return b.finish();
    }

    private static Pass pass(Target target) {
        return Passes.list(Map.of(), target).stream().filter(p -> p.toString().startsWith("GatherEarlier")).findFirst().orElseThrow();
    }

    private static Map<String, Tensor> inputs(int first, int second) {
        Random random = new Random(5);
        return Map.of("x", floats(random, 1, TOKENS, D), "up", floats(random, TOKENS, D), "down", floats(random, D, TOKENS),
                "bias", floats(random, TOKENS), "i", Tensor.i32(Shape.of(2), first, second));
    }

    private static Tensor floats(Random random, int... dims) {
        float[] v = new float[(int) Shape.of(dims).count()];
        for (int i = 0; i < v.length; i++) {
            v[i] = (float) random.nextGaussian();
        }
        return Tensor.f32(Shape.of(dims), v);
    }

    private static List<Long> productRows(Graph g) {
        return g.equations().stream().filter(e -> e.op() instanceof Op.MatMul).map(Equation::output)
                .map(v -> v.shape().count() / v.shape().dim(-1)).toList();
    }

    @Test
    void productsComputeTheRowsThatAreRead() throws Exception {
        Graph before = graph(false);
        Graph after = pass(new OracleExecutor().target()).apply(before);
        Verifier.check(after, "GatherEarlier");
        assertEquals(List.of((long) TOKENS, (long) TOKENS), productRows(before));
        assertEquals(List.of(2L, 2L), productRows(after));
        for (int[] i : new int[][] {{5, 0}, {3, 3}, {-1, 2}, {TOKENS, Integer.MIN_VALUE}}) {
            Map<String, Tensor> in = inputs(i[0], i[1]);
            assertEquals(Oracle.run(before, r -> null, in, in).output("y"), Oracle.run(after, r -> null, in, in).output("y"));
        }
    }

    @Test
    void whatIsReadElsewhereStays() throws Exception {
        Graph before = graph(true);
        Graph after = pass(new OracleExecutor().target()).apply(before);
        Verifier.check(after, "GatherEarlier");
        assertTrue(productRows(after).contains((long) TOKENS));
        assertTrue(productRows(after).contains(2L));
        Map<String, Tensor> in = inputs(4, 1);
        for (String name : List.of("y", "h")) {
            assertEquals(Oracle.run(before, r -> null, in, in).output(name), Oracle.run(after, r -> null, in, in).output(name));
        }
    }
}
