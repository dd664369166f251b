package poot.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static poot.parity.CpuJudge.floats;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.Residency;
import poot.api.graph.Builder;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.backend.cpu.CpuExecutorProvider;
import poot.core.quant.QuantFormats;
import poot.oracle.Tensor;
import poot.step.GraphRun;

/**
 * On the CPU a row of a product has the same bits however many rows are multiplied with it, whatever the extents, and wherever
 * the weight is read from.
 */
class ProductShapesTest {
    private static final Role WEIGHT = Role.of("weight");
    /** Formats that need more than their bytes; they are decoded as any format that has no vector code. */
    private static final Set<Encoding> PARAMETERS = EnumSet.of(Encoding.FP8_CHANNEL, Encoding.FP8_BLOCK);
    private static final int MOST = 40;
    private static final int[] ROWS = {1, 2, 3, 4, 5, 8, 17, MOST};
    private static final int[] COLUMNS = {1, 5, 16, 35, 48};

    private final Random random = new Random(17);

    static Stream<Encoding> stored() {
        return Arrays.stream(Encoding.values()).filter(e -> e.blockBytes() > 0 && !PARAMETERS.contains(e));
    }

    /** Dense rows of any length; packed rows of whole blocks, up to more than what is decoded at once. */
    @ParameterizedTest
    @MethodSource("stored")
    void storedWeights(Encoding e) throws Exception {
        int[] depths = e.isDense() ? new int[] {1, 7, 24, 36, 100, 1030, 2085} : e.blockElements() > 64
                ? new int[] {256, 1280} : new int[] {64, 320, 1088};
        for (int k : depths) {
            for (int n : COLUMNS) {
                check(e, n, k, n == 35);
            }
        }
    }

    private void check(Encoding e, int n, int k, boolean heap) throws Exception {
        ExecutorOptions options = new ExecutorOptions(2);
        try (Arena arena = Arena.ofShared();
                Executor mapped = new CpuExecutorProvider().open(options.withWeights(Residency.MAPPED));
                Executor copied = new CpuExecutorProvider().open(options.withWeights(Residency.COPIED))) {
            int size = Math.toIntExact((long) n * k / e.blockElements() * e.blockBytes());
            byte[] bytes = new byte[size];
            random.nextBytes(bytes);
            for (int i = 0; i < size; i++) {
                bytes[i] &= (byte) 0xbb; // no 16-bit field has an exponent of all ones
            }
            if (e == Encoding.F32) {
                MemorySegment.copy(floats(random, n * k).floats(), 0, MemorySegment.ofArray(bytes), ValueLayout.JAVA_FLOAT_UNALIGNED, 0, n * k);
            }
            MemorySegment native_ = arena.allocate(size).copyFrom(MemorySegment.ofArray(bytes));
            String what = e + " [" + n + ", " + k + "]";
            float[] x = floats(random, MOST, k).floats();
            float[] law = rows(what, weight(e, n, k, native_), x, new float[MOST * n], mapped);
            rows(what + " copied", weight(e, n, k, native_), x, law, copied);
            if (heap) {
                rows(what + " on the heap", weight(e, n, k, MemorySegment.ofArray(bytes)), x, new float[MOST * n], copied);
            }
        }
    }

    private static Weight weight(Encoding e, int n, int k, MemorySegment bytes) {
        return Weight.whole(e + "", QuantFormats.of(e), Shape.of(n, k), List.of(bytes));
    }

    private static float[] rows(String what, Weight w, float[] x, float[] law, Executor executor) throws Exception {
        int n = w.shape().dim(0);
        int k = w.shape().dim(1);
        for (int m : ROWS) {
            for (int first : new int[] {0, MOST - m}) {
                float[] some = Arrays.copyOfRange(x, first * k, (first + m) * k);
                Builder b = Builder.with(TraceLimits.DEFAULT);
                b.output("y", b.matMulTransposed(b.slot("x", TensorType.of(ElementType.F32, m, k)), b.weight(WEIGHT, n, k)));
                float[] y = GraphRun.run(b.finish(), Map.of(WEIGHT, w), Map.of("x", Tensor.f32(Shape.of(m, k), some)), executor)
                        .get("y").floats();
                same(what + " of " + m + " rows from " + first, law, first * n, y);
            }
        }
        return law;
    }

    /** Equal to what is known; what is not is known from now on. */
    private static void same(String what, float[] law, int at, float[] found) {
        for (int i = 0; i < found.length; i++) {
            if (law[at + i] == 0) {
                law[at + i] = found[i];
            }
            assertEquals(Float.floatToRawIntBits(law[at + i]), Float.floatToRawIntBits(found[i]), what + ", element " + i);
        }
    }

    /** Likewise where both operands are values. */
    @Test
    void values() throws Exception {
        try (Executor executor = new CpuExecutorProvider().open(new ExecutorOptions(2))) {
            for (boolean transposed : new boolean[] {false, true}) {
                for (int n : COLUMNS) {
                    for (int k : new int[] {1, 7, 24, 100, 1030}) {
                        Tensor y = transposed ? floats(random, n, k) : floats(random, k, n);
                        float[] x = floats(random, 40, k).floats();
                        float[] law = new float[40 * n];
                        for (int m : ROWS) {
                            Builder b = Builder.with(TraceLimits.DEFAULT);
                            Value a = b.slot("x", TensorType.of(ElementType.F32, m, k));
                            Value c = b.slot("y", y.type());
                            b.output("z", transposed ? b.matMulTransposed(a, c) : b.matMul(a, c));
                            Map<String, Tensor> in = new HashMap<>(Map.of("y", y));
                            in.put("x", Tensor.f32(Shape.of(m, k), Arrays.copyOf(x, m * k)));
                            same(m + " rows by [" + n + ", " + k + "]", law, 0, GraphRun.run(b.finish(), Map.of(), in, executor).get("z").floats());
                        }
                    }
                }
            }
        }
    }
}
