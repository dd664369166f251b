package poot.quant;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.Residency;
import poot.api.graph.ElementType;
import poot.api.graph.Format;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.backend.cpu.CpuExecutorProvider;
import poot.backend.cpu.emit.Emitter;
import poot.backend.cpu.x86.weight.InputOrder;
import poot.core.quant.QuantFormats;

/** Products with weights whose rows share words, of more columns than one range has and of more inputs than one chunk. */
class SideBySideTest {
    private static final double ERROR = 1e-5;

    private final Random random = new Random(8);

    @ParameterizedTest
    @CsvSource({"24, 128, 128", "264, 128, 384", "512, 128, 320", "256, 64, 192", "520, 32, 160", "256, -1, 512", "136, -1, 96"})
    void productsAreThoseOfDecodedWeights(int n, int group, int k) throws Exception {
        for (String how : new String[] {"gptq", "gptq in another order", "awq"}) {
            boolean ordered = how.endsWith("order");
            Format format = how.equals("awq") ? QuantFormats.awq(group, ElementType.F16)
                    : QuantFormats.gptq(group, true, ordered, ElementType.F16);
            int groups = group < 0 ? 1 : Math.ceilDiv(k, group);
            ExecutorOptions options = new ExecutorOptions(2);
            try (Arena arena = Arena.ofShared(); Executor one = open(new ExecutorOptions(1)); Executor two = open(options);
                    Executor mapped = open(options.withWeights(Residency.MAPPED))) {
                List<MemorySegment> parts = new ArrayList<>(
                        List.of(words(arena, n * k / 8), words(arena, groups * n / 8), halves(arena, groups * n)));
                if (ordered) {
                    parts.add(shuffled(arena, k, group < 0 ? k : group));
                }
                Weight w = Weight.whole(how, format, Shape.of(n, k), parts);
                float[] x = new float[37 * k];
                for (int i = 0; i < x.length; i++) {
                    x[i] = (float) random.nextGaussian();
                }
                float[] y = PackedProduct.of(w, x, 37, one);
                check(w, x, y);
                assertArrayEquals(y, PackedProduct.of(w, x, 37, mapped), w.name() + ": mapped");
                for (int m : new int[] {1, 3, 5}) {
                    float[] few = PackedProduct.of(w, Arrays.copyOf(x, m * k), m, one);
                    if (Emitter.probe().simd().isPresent()) {
                        assertArrayEquals(Arrays.copyOf(y, m * n), few, w.name() + ": " + m + " rows alone and of 37");
                    }
                    assertArrayEquals(few, PackedProduct.of(w, Arrays.copyOf(x, m * k), m, two), w.name() + ": two threads");
                    assertArrayEquals(few, PackedProduct.of(w, Arrays.copyOf(x, m * k), m, mapped), w.name() + ": mapped");
                }
            }
        }
    }

    /** Each of many entries keeps the orders of its weights. */
    @Test
    void equalOrdersAreOne() {
        Optional<Emitter> emitter = Emitter.open();
        assumeTrue(emitter.isPresent(), "no emitted kernels here: " + Emitter.probe().why());
        try (Emitter e = emitter.get(); Arena arena = Arena.ofShared()) {
            MemorySegment groups = shuffled(arena, 128, 32);
            List<InputOrder> orders = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                MemorySegment own = arena.allocate(groups.byteSize(), 64).copyFrom(groups);
                Weight w = Weight.whole("gptq", QuantFormats.gptq(32, true, true, ElementType.F16), Shape.of(64, 128),
                        List.of(words(arena, 64 * 128 / 8), words(arena, 4 * 64 / 8), halves(arena, 4 * 64), own));
                orders.add(e.placement(w).orElseThrow().made().orElseThrow().order().orElseThrow());
            }
            assertSame(orders.getFirst(), orders.getLast());
        }
    }

    /** The groups of {@code k} inputs, as many inputs in each as without an order. */
    private MemorySegment shuffled(Arena arena, int k, int group) {
        List<Integer> groups = new ArrayList<>(IntStream.range(0, k).mapToObj(i -> i / group).toList());
        Collections.shuffle(groups, random);
        MemorySegment out = arena.allocate(4L * k, 64);
        for (int i = 0; i < k; i++) {
            out.setAtIndex(ValueLayout.JAVA_INT, i, groups.get(i));
        }
        return out;
    }

    private static Executor open(ExecutorOptions options) throws Exception {
        return new CpuExecutorProvider().open(options);
    }

    private static void check(Weight w, float[] x, float[] y) {
        int n = w.shape().dim(0);
        int k = w.columns();
        float[] dense = PackedProduct.decoded(w);
        for (int i = 0; i < y.length; i++) {
            double sum = 0;
            double terms = 0;
            for (int j = 0; j < k; j++) {
                double term = (double) dense[i % n * k + j] * x[i / n * k + j];
                sum += term;
                terms += Math.abs(term);
            }
            assertEquals(sum, y[i], ERROR * terms, w.name() + " row " + i / n + ", output " + i % n);
        }
    }

    private MemorySegment words(Arena arena, int count) {
        MemorySegment out = arena.allocate(4L * count, 64);
        MemorySegment.copy(random.ints(count).toArray(), 0, out, ValueLayout.JAVA_INT, 0, count);
        return out;
    }

    private MemorySegment halves(Arena arena, int count) {
        MemorySegment out = arena.allocate(2L * count, 64);
        for (int i = 0; i < count; i++) {
            out.setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16((1 + random.nextFloat()) / 16));
        }
        return out;
    }
}
