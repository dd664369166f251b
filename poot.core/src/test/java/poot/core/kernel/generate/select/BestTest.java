package poot.core.kernel.generate.select;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.graph.ElementType;
import poot.api.graph.Op.ReduceKind;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.generate.KernelRun;

class BestTest {
    private static int expected(float[] x, int first, int n, int step, boolean largest) {
        int best = 0;
        for (int i = 1; i < n; i++) {
            float c = x[first + i * step];
            float b = x[first + best * step];
            best = Float.isNaN(b) ? Float.isNaN(c) ? best : i : (largest ? c > b : c < b) ? i : best;
        }
        return best;
    }

    private static void agrees(int subgroup, boolean largest, int outer, int n, int inner, float[] x) throws Exception {
        int[] expected = new int[outer * inner];
        Arrays.setAll(expected, line -> expected(x, line / inner * n * inner + line % inner, n, inner, largest));
        try (KernelRun run = new KernelRun(subgroup)) {
            DeviceBuffer out = run.empty("out", 4L * expected.length);
            run.run(new Best(largest, ElementType.F32, outer, n, inner).stages(run.limits()), List.of(run.floats("x", x)), List.of(out));
            assertArrayEquals(expected, run.ints(out));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void firstOfTheBest(int subgroup) throws Exception {
        int[][] shapes = {{1, 1, 1}, {2, 7, 3}, {3, 300, 1}, {2, 9000, 1}};
        Random random = new Random(1);
        for (int[] s : shapes) {
            float[] x = new float[s[0] * s[1] * s[2]];
            for (int i = 0; i < x.length; i++) {
                x[i] = random.nextInt(5) == 0 ? Float.NaN : random.nextInt(40) - 20;
            }
            agrees(subgroup, true, s[0], s[1], s[2], x);
            agrees(subgroup, false, s[0], s[1], s[2], x);
        }
        float[] none = new float[5000];
        Arrays.fill(none, Float.NaN);
        agrees(subgroup, true, 1, 5000, 1, none);
        agrees(subgroup, false, 1, 5000, 1, none);
        none[4800] = Float.NEGATIVE_INFINITY;
        agrees(subgroup, true, 1, 5000, 1, none);
        agrees(subgroup, true, 1, 4, 1, new float[] {-0f, 0f, -0f, 0f});
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void foldsOfLongLines(int subgroup) throws Exception {
        float[] x = new float[2 * 9000];
        for (int i = 0; i < x.length; i++) {
            x[i] = i % 977 - 400;
        }
        try (KernelRun run = new KernelRun(subgroup)) {
            for (int n : new int[] {90, 9000}) {
                int lines = x.length / n;
                DeviceBuffer out = run.empty("out", 4L * lines);
                run.run(new LongFold(ReduceKind.SUM, ElementType.F32, lines, n, 1).stages(run.limits()), List.of(run.floats("x", x)), List.of(out));
                float[] sums = run.floats(out);
                for (int line = 0; line < lines; line++) {
                    double sum = 0;
                    for (int i = 0; i < n; i++) {
                        sum += x[line * n + i];
                    }
                    assertEquals(sum, sums[line], 1e-2);
                }
            }
        }
    }
}
