package poot.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import poot.acceptance.Repository;
import poot.api.executor.Executor;
import poot.api.graph.Builder;
import poot.api.graph.ElementType;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.model.KvForm;
import poot.api.model.KvLayout;
import poot.api.model.StateSpec;
import poot.api.model.StepShape;
import poot.families.Families;
import poot.families.components.KeyValues;
import poot.golden.OpenModel;
import poot.oracle.Oracle;
import poot.oracle.Tensor;
import poot.step.Chunk;
import poot.step.ExecutorSession;
import poot.step.OracleSession;

/** Keys and values as 8-bit codes: what they are, that the CPU makes those of the oracle, and what a step costs by them. */
class CodesParityTest {
    private final Random random = new Random(17);

    /** Ordinary groups, of zeros, of tiny and huge numbers, and ones that hold what is not finite. */
    private Tensor features(int groups, boolean finite) {
        float[] x = new float[groups * KvForm.GROUP];
        for (int i = 0; i < x.length; i++) {
            float scale = switch (i / KvForm.GROUP % 5) {
                case 0 -> 1;
                case 1 -> 0;
                case 2 -> 1e-7f;
                case 3 -> 1e5f;
                default -> 0.01f;
            };
            x[i] = scale * (float) random.nextGaussian();
        }
        if (!finite) {
            x[3] = Float.NaN;
            x[40] = Float.POSITIVE_INFINITY;
            x[70] = 127 * 70000f;
        }
        return Tensor.f32(Shape.of(1, groups / 3, 3 * KvForm.GROUP), x);
    }

    private static List<Value> pack(Builder b, List<Value> in) throws TraceException {
        KeyValues.Pool p = KeyValues.Pool.of(b, in.getFirst(), KvForm.Q8_0);
        return List.of(p.slots(), b.cast(p.scales().orElseThrow(), ElementType.F32));
    }

    @Test
    void theCodesAreTheOracles() throws Exception {
        CpuJudge.check("finite", 0, CodesParityTest::pack, features(15, true));
        CpuJudge.check("not finite", 0, CodesParityTest::pack, features(15, false));
    }

    /** A code is the nearest multiple of its scale; a feature beyond the range of codes is the last of them. */
    @Test
    void aFeatureIsWithinHalfAScale() throws Exception {
        for (boolean finite : new boolean[] {true, false}) {
            Tensor x = features(15, finite);
            Builder b = Builder.with(TraceLimits.DEFAULT);
            List<Value> p = pack(b, List.of(b.slot("x", x.type())));
            b.output("words", p.getFirst());
            b.output("scales", p.getLast());
            Oracle.Result r = Oracle.run(b.finish(), role -> null, Map.of("x", x), Map.of());
            for (int i = 0; i < x.count(); i++) {
                float scale = r.output("scales").floats()[i / KvForm.GROUP];
                int code = (byte) (r.output("words").words()[i / KvForm.CODES] >> 8 * (i % KvForm.CODES));
                assertEquals(finite || i >= 3 * KvForm.GROUP, Float.isFinite(scale * code) && Float.isFinite(scale), "feature " + i);
                if (Float.isFinite(scale)) {
                    assertTrue(Math.abs(x.floats()[i] - scale * code) <= Math.max(0.501f * scale, 3e-6f), x.floats()[i] + " as " + scale * code);
                }
            }
        }
    }

    @Test
    void headsOfOtherSizesAreRefused() {
        StateSpec s = new StateSpec("layers.0.key", StateSpec.Extent.KV_SLOTS, Shape.of(2, 48));
        StepShape shape = StepShape.step(1, 1, 5);
        assertEquals(Map.of("layers.0.key", TensorType.of(ElementType.F16, 5, 2, 48)), s.types(shape.withKv(KvForm.F16)));
        String message = assertThrows(IllegalArgumentException.class, () -> s.types(shape.withKv(KvForm.Q8_0))).getMessage();
        assertTrue(message.contains("layers.0.key") && message.contains("48") && message.contains("F16"), message);
        StateSpec whole = new StateSpec("k", StateSpec.Extent.KV_SLOTS, Shape.of(2, 64));
        assertEquals(Map.of("k.codes", TensorType.of(ElementType.I32, 5, 2, 16), "k.scales", TensorType.of(ElementType.F16, 5, 2, 2)),
                whole.types(shape.withKv(KvForm.Q8_0)));
        assertFalse(KvForm.Q8_0.plain().isPresent());
        assertThrows(TraceException.class, KvForm.Q8_0::element);
    }

    /** Steps of a trained model: a difference in the last place moves some feature to the next code, 1/127 of the largest. */
    @Test
    void stepsAreTheOracles() throws Exception {
        StepShape base = StepShape.step(1, 1, 32).withLayout(new KvLayout.Paged(8, 8, 2)).withKv(KvForm.Q8_0);
        try (OpenModel m = OpenModel.open(Repository.demoModel().resolve("poot-tiny-f16.gguf"), Families.registry());
                Executor executor = CpuJudge.open();
                OracleSession a = new OracleSession(m.model(), m.weights(), base);
                ExecutorSession b = new ExecutorSession(m.model(), m.weights(), base, executor)) {
            int[] text = random.ints(14, 3, m.model().config().vocabulary()).toArray();
            near(a.step(Chunk.of(1, text, 0, 12)), b.step(Chunk.of(1, text, 0, 12)));
            near(a.step(Chunk.of(1, text, 12, 13), Chunk.of(0, text, 0, 1)), b.step(Chunk.of(1, text, 12, 13), Chunk.of(0, text, 0, 1)));
            near(a.step(Chunk.of(1, text, 13, 14)), b.step(Chunk.of(1, text, 13, 14)));
        }
    }

    private static void near(float[][] expected, float[][] actual) {
        for (int r = 0; r < expected.length; r++) {
            for (int i = 0; i < expected[r].length; i++) {
                float largest = Math.max(1, Math.abs(expected[r][i]));
                assertTrue(Math.abs(expected[r][i] - actual[r][i]) <= 0x1p-5f * largest, "token " + i + ": " + actual[r][i] + ", not " + expected[r][i]);
            }
        }
    }
}
