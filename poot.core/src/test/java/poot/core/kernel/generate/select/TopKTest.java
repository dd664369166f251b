package poot.core.kernel.generate.select;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.graph.ElementType;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.generate.KernelRun;

class TopKTest {
    /** Few distinct values, so that many are equal, and all that is special. */
    private static float[] numbers(Random random, int n) {
        float[] special = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 0f, -0f, Float.MIN_VALUE, Float.intBitsToFloat(0xffc01234)};
        float[] out = new float[n];
        for (int i = 0; i < n; i++) {
            out[i] = random.nextInt(4) == 0 ? special[random.nextInt(special.length)]
                    : random.nextInt(3) == 0 ? random.nextInt(5) - 2 : (float) random.nextGaussian();
        }
        return out;
    }

    /** Falling, by rising place where equal; NaN last. */
    private static int[] order(float[] x, int from, int n) {
        return IntStream.range(0, n).boxed().sorted((i, j) -> {
            float a = x[from + i];
            float c = x[from + j];
            boolean firstWins = Float.isNaN(c) ? !Float.isNaN(a) : a > c;
            boolean secondWins = Float.isNaN(a) ? !Float.isNaN(c) : c > a;
            return firstWins ? -1 : secondWins ? 1 : 0;
        }).mapToInt(i -> i).toArray();
    }

    private static void agrees(int subgroup, int lines, int n, int k) throws Exception {
        float[] x = numbers(new Random(n + k), lines * n);
        int[] values = new int[lines * k];
        int[] places = new int[lines * k];
        for (int line = 0; line < lines; line++) {
            int[] order = order(x, line * n, n);
            for (int i = 0; i < k; i++) {
                places[line * k + i] = order[i];
                values[line * k + i] = Float.floatToRawIntBits(x[line * n + order[i]]);
            }
        }
        try (KernelRun run = new KernelRun(subgroup)) {
            DeviceBuffer v = run.empty("values", 4L * values.length);
            DeviceBuffer p = run.empty("places", 4L * places.length);
            run.run(new TopK(ElementType.F32, lines, n, k).stages(run.limits()), List.of(run.floats("x", x)), List.of(v, p));
            assertArrayEquals(places, run.ints(p));
            assertArrayEquals(values, run.ints(v));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void expertsOfATokenAndTheLike(int subgroup) throws Exception {
        int[][] cases = {{1, 1, 1}, {5, 2, 1}, {7, 8, 2}, {3, 60, 4}, {2, 128, 128}, {3, 200, 6}, {1, 2048, 2048}};
        for (int[] c : cases) {
            agrees(subgroup, c[0], c[1], c[2]);
        }
    }

    @Test
    void aFewOfAVocabulary() throws Exception {
        agrees(32, 2, 5000, 40);
        agrees(32, 1, 2049, 1024);
        agrees(32, 1, 20_000, 1);
    }

    @Test
    void allOfAVocabulary() throws Exception {
        agrees(32, 2, 4000, 4000);
        agrees(32, 1, 4100, 1025);
    }

    @Test
    void integersAndNarrowFloats() throws Exception {
        int[] words = {3, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 3, 0};
        short[] halves = new short[6];
        for (int i = 0; i < 6; i++) {
            halves[i] = Float.floatToFloat16(words[i] % 100);
        }
        try (KernelRun run = new KernelRun(8)) {
            DeviceBuffer v = run.empty("values", 24);
            DeviceBuffer p = run.empty("places", 24);
            run.run(new TopK(ElementType.I32, 1, 6, 6).stages(run.limits()), List.of(run.ints("x", words)), List.of(v, p));
            assertArrayEquals(new int[] {3, 0, 4, 5, 1, 2}, run.ints(p));
            assertArrayEquals(Arrays.stream(new int[] {3, 0, 4, 5, 1, 2}).map(i -> words[i]).toArray(), run.ints(v));
            DeviceBuffer h = run.empty("values", 4);
            DeviceBuffer q = run.empty("places", 8);
            run.run(new TopK(ElementType.F16, 1, 6, 2).stages(run.limits()), List.of(run.of("x", MemorySegment.ofArray(halves))), List.of(h, q));
            assertArrayEquals(new int[] {3, 0}, run.ints(q));
            assertArrayEquals(new int[] {halves[3] & 0xffff | halves[0] << 16}, run.ints(h));
        }
    }
}
