package poot.parity;

import static poot.api.graph.ElementType.F32;
import static poot.api.graph.ElementType.I32;

import java.lang.foreign.Arena;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import poot.api.graph.Builder;
import poot.api.graph.Composite.Activation;
import poot.api.graph.Encoding;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.families.components.Nonlinearity;
import poot.oracle.Tensor;

/** Rows multiplied with matrices of weights that indices name: experts, a gated pair and the way back; on any backend. */
abstract class ExpertSuite {
    private static final int EXPERTS = 3;
    private static final int WIDTH = 256;
    /** Of sums of numbers about as large as 1; a backend may hold activations in 16 bits. */
    private static final float TOLERANCE = 1e-4f;
    private static final Role GATE = Role.of("gate");
    private static final Role UP = Role.of("up");
    private static final Role DOWN = Role.of("down");

    private final Random random = new Random(5);
    private final Judge judge;

    ExpertSuite(Judge judge) {
        this.judge = judge;
    }

    /** One token and several, each with two experts, some of which there are none: their results are zeros. */
    @ParameterizedTest
    @EnumSource(names = {"F32", "BF16", "F16", "Q8_0", "Q4_K", "Q6_K", "MXFP4"})
    void feedForward(Encoding e) throws Exception {
        try (Arena arena = Arena.ofShared()) {
            Map<Role, Weight> weights = new LinkedHashMap<>();
            weights.put(GATE, RandomWeight.of(random, e, Shape.of(EXPERTS, WIDTH, WIDTH), arena));
            weights.put(UP, RandomWeight.of(random, e, Shape.of(EXPERTS, WIDTH, WIDTH), arena));
            weights.put(DOWN, RandomWeight.of(random, e, Shape.of(EXPERTS, 7, WIDTH), arena));
            float small = 1 / (16 * largest(weights));
            for (int tokens : new int[] {1, 5}) {
                Builder b = Builder.with(TraceLimits.DEFAULT);
                Value x = b.mul(b.slot("x", TensorType.of(F32, tokens, 1, 1, WIDTH)), small);
                Value which = b.slot("which", TensorType.of(I32, tokens, 2));
                Value gate = product(b, x, GATE, which, WIDTH);
                Value up = product(b, x, UP, which, WIDTH);
                Value hidden = Nonlinearity.gate(b, Activation.SILU, gate, up);
                b.output("hidden", hidden);
                b.output("y", b.mul(product(b, b.tanh(hidden), DOWN, which, 7), small));
                Tensor in = CpuJudge.floats(random, tokens, 1, 1, WIDTH);
                judge.graph(e + ", " + tokens + " tokens", b.finish(), weights,
                        Map.of("x", in, "which", CpuJudge.ints(random, -1, EXPERTS + 1, tokens, 2)), TOLERANCE);
            }
        }
    }

    private static Value product(Builder b, Value x, Role role, Value which, int n) throws Exception {
        return b.matMulTransposed(x, b.gather(b.weight(role, EXPERTS, n, WIDTH), which));
    }

    /** What is no product of a row with a matrix to itself: several rows of one, one matrix for all, the matrices themselves. */
    @Test
    void otherUses() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            Map<Role, Weight> weights = Map.of(GATE, RandomWeight.of(random, Encoding.F16, Shape.of(EXPERTS, 5, 32), arena));
            Builder b = Builder.with(TraceLimits.DEFAULT);
            Value rows = b.slot("rows", TensorType.of(F32, 2, 3, 32));
            Value one = b.slot("one", TensorType.of(F32, 4, 1, 32));
            Value which = b.slot("which", TensorType.of(I32, 2));
            Value same = b.slot("same", TensorType.of(I32, 1));
            Value matrices = b.gather(b.weight(GATE, EXPERTS, 5, 32), which);
            b.output("rows", b.matMulTransposed(rows, matrices));
            b.output("matrices", matrices);
            b.output("same", b.matMulTransposed(one, b.gather(b.weight(GATE, EXPERTS, 5, 32), same)));
            judge.graph("other uses", b.finish(), weights, Map.of("rows", CpuJudge.floats(random, 2, 3, 32), "one",
                    CpuJudge.floats(random, 4, 1, 32), "which", Tensor.i32(Shape.of(2), 2, 0), "same", Tensor.i32(Shape.of(1), 1)), 1e-4f);
        }
    }

    private static float largest(Map<Role, Weight> weights) {
        float largest = 0;
        for (Weight w : weights.values()) {
            float[] row = new float[w.columns()];
            for (int r = 0; r < w.rowCount(); r++) {
                w.decode(r, 0, row.length, row, 0);
                for (float f : row) {
                    largest = Math.max(largest, Math.abs(f));
                }
            }
        }
        return largest;
    }
}
