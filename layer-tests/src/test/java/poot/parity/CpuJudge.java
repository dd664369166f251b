package poot.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Random;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.backend.cpu.CpuExecutorProvider;
import poot.oracle.Tensor;

/** Judges the CPU. */
final class CpuJudge {
    private static final Judge JUDGE = new Judge(CpuJudge::open);

    private CpuJudge() {}

    static Executor open() throws ExecutorException {
        return new CpuExecutorProvider().open(new ExecutorOptions(3));
    }

    /** An operation over the given operands. */
    static void op(Op op, float tolerance, Tensor... in) throws Exception {
        JUDGE.op(op, tolerance, in);
    }

    /** What {@code body} records over the given operands, without weights. */
    static void check(String what, float tolerance, Judge.Body body, Tensor... in) throws Exception {
        JUDGE.check(what, tolerance, body, in);
    }

    /** A graph whose slots and states are given by name; run twice, so that nothing depends on fresh memory. */
    static void graph(String what, Graph g, Map<Role, Weight> weights, Map<String, Tensor> in, float tolerance) throws Exception {
        JUDGE.graph(what, g, weights, in, tolerance);
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
