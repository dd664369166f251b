package poot.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static poot.parity.CpuJudge.floats;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.Residency;
import poot.api.graph.Builder;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
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

    /**
     * Dense rows of any length, of which 64 and 2112 are those that emitted code takes, in one block of k and in two; packed rows of
     * whole blocks, up to more than what is decoded at once.
     */
    @ParameterizedTest
    @MethodSource("stored")
    void storedWeights(Encoding e) throws Exception {
        int[] depths = e.isDense() ? new int[] {1, 7, 24, 36, 64, 100, 1030, 2085, 2112} : e.blockElements() > 64
                ? new int[] {256, 1280} : new int[] {64, 320, 1088};
        for (int k : depths) {
            for (int n : COLUMNS) {
                check(e, n, k, n == 35);
            }
        }
    }

    /** A format of several parts, and the rows it is tried with. */
    private record SeveralParts(String name, Format format, int[] outputs, PartBytes bytes) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** Bytes of each part of [n, k]. */
    @FunctionalInterface
    private interface PartBytes {
        long[] of(long n, long k);
    }

    static Stream<SeveralParts> severalParts() {
        int[] eights = {16, 24, 40, 264};
        int[] any = {16, 35, 48};
        List<SeveralParts> out = new ArrayList<>();
        for (int group : new int[] {32, 64, 128, 384}) {
            PartBytes columns = (n, k) -> new long[] {n * k / 2, n * k / group / 2, 2 * n * k / group};
            out.add(new SeveralParts("GPTQ by " + group, QuantFormats.gptq(group, true, false, ElementType.F16), eights, columns));
            out.add(new SeveralParts("AWQ by " + group, QuantFormats.awq(group, ElementType.BF16), eights, columns));
            out.add(new SeveralParts("GPTQ by " + group + " in another order", QuantFormats.gptq(group, false, true, ElementType.F16),
                    eights, (n, k) -> new long[] {n * k / 2, n * k / group / 2, 2 * n * k / group, 4 * k, group}));
        }
        out.add(new SeveralParts("AWQ, F32", QuantFormats.awq(-1, ElementType.F32), eights,
                (n, k) -> new long[] {n * k / 2, n / 2, 4 * n}));
        out.add(new SeveralParts("FP8 by channel", QuantFormats.fp8Channel(ElementType.F16), any, (n, k) -> new long[] {n * k, 2 * n}));
        out.add(new SeveralParts("FP8 by block", QuantFormats.fp8Block(16, 64, ElementType.F32), any,
                (n, k) -> new long[] {n * k, 4 * Math.ceilDiv(n, 16) * (k / 64)}));
        out.add(new SeveralParts("MXFP4 in pairs", QuantFormats.mxfp4Pairs(), any, (n, k) -> new long[] {n * k / 2, n * k / 32}));
        return out.stream();
    }

    /** Formats of several parts, likewise. */
    @ParameterizedTest
    @MethodSource("severalParts")
    void weightsOfSeveralParts(SeveralParts form) throws Exception {
        ExecutorOptions options = new ExecutorOptions(2);
        for (int k : new int[] {384, 1152}) {
            for (int n : form.outputs) {
                try (Arena arena = Arena.ofShared();
                        Executor mapped = new CpuExecutorProvider().open(options.withWeights(Residency.MAPPED));
                        Executor copied = new CpuExecutorProvider().open(options.withWeights(Residency.COPIED))) {
                    Weight w = Weight.whole(form.name, form.format, Shape.of(n, k), parts(form.bytes.of(n, k), k, arena));
                    float[] x = floats(random, MOST, k).floats();
                    float[] law = rows(form + " [" + n + ", " + k + "]", w, x, new float[MOST * n], mapped);
                    rows(form + " [" + n + ", " + k + "] copied", w, x, law, copied);
                }
            }
        }
    }

    /** Random bytes; of five sizes the fourth is of an order, and the fifth is how many inputs share scales. */
    private List<MemorySegment> parts(long[] sizes, int k, Arena arena) {
        List<MemorySegment> parts = new ArrayList<>();
        for (int i = 0; i < Math.min(sizes.length, 3); i++) {
            byte[] bytes = new byte[(int) sizes[i]];
            random.nextBytes(bytes);
            for (int j = 0; j < bytes.length; j++) {
                bytes[j] &= (byte) 0xbb; // no exponent is all ones
            }
            parts.add(arena.allocate(bytes.length, 64).copyFrom(MemorySegment.ofArray(bytes)));
        }
        if (sizes.length > 3) {
            List<Integer> groups = new ArrayList<>(IntStream.range(0, k).mapToObj(i -> (int) (i / sizes[4])).toList());
            Collections.shuffle(groups, random);
            int[] order = groups.stream().mapToInt(i -> i).toArray();
            parts.add(arena.allocate(sizes[3], 64).copyFrom(MemorySegment.ofArray(order)));
        }
        return parts;
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
                MemorySegment.copy(
                        floats(random, n * k).floats(), 0, MemorySegment.ofArray(bytes), ValueLayout.JAVA_FLOAT_UNALIGNED, 0, n * k);
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

    /** A range of rows gives the columns that the whole weight gives, wherever it begins and however many rows it has. */
    @ParameterizedTest
    @EnumSource(names = {"F32", "F16", "BF16", "Q8_0", "Q4_K"})
    void rangesOfRows(Encoding e) throws Exception {
        ExecutorOptions options = new ExecutorOptions(2);
        int k = 512;
        int n = 72;
        try (Arena arena = Arena.ofShared();
                Executor mapped = new CpuExecutorProvider().open(options.withWeights(Residency.MAPPED));
                Executor copied = new CpuExecutorProvider().open(options.withWeights(Residency.COPIED))) {
            Weight whole = RandomWeight.of(random, e, Shape.of(n, k), arena);
            float[] x = floats(random, MOST, k).floats();
            float[] law = rows(e + " whole", whole, x, new float[MOST * n], mapped);
            for (int[] range : new int[][] {{0, 48}, {4, 52}, {8, 72}, {5, 53}, {16, 48}, {40, 72}, {3, 38}}) {
                int count = range[1] - range[0];
                float[] some = new float[MOST * count];
                for (int i = 0; i < MOST; i++) {
                    System.arraycopy(law, i * n + range[0], some, i * count, count);
                }
                String what = e + " rows " + Arrays.toString(range);
                rows(what, whole.rows(range[0], range[1]), x, some, mapped);
                rows(what + " copied", whole.rows(range[0], range[1]), x, some, copied);
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
                            float[] z = GraphRun.run(b.finish(), Map.of(), in, executor).get("z").floats();
                            same(m + " rows by [" + n + ", " + k + "]", law, 0, z);
                        }
                    }
                }
            }
        }
    }
}
