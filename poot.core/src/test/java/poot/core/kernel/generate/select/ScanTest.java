package poot.core.kernel.generate.select;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.graph.ElementType;
import poot.api.graph.Op.ReduceKind;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.generate.KernelRun;

class ScanTest {
    private static float[] floats(int subgroup, Scan scan, float[] x) throws Exception {
        try (KernelRun run = new KernelRun(subgroup)) {
            DeviceBuffer out = run.empty("out", 4L * x.length);
            run.run(scan.stages(run.limits()), List.of(run.floats("x", x)), List.of(out));
            return run.floats(out);
        }
    }

    private static float[] random(int n, long seed) {
        Random random = new Random(seed);
        float[] out = new float[n];
        for (int i = 0; i < n; i++) {
            out[i] = random.nextFloat();
        }
        return out;
    }

    private static double start(ReduceKind kind) {
        return switch (kind) {
            case SUM -> 0;
            case PROD -> 1;
            case MAX -> Double.NEGATIVE_INFINITY;
            case MIN -> Double.POSITIVE_INFINITY;
        };
    }

    private static double join(ReduceKind kind, double a, double c) {
        return switch (kind) {
            case SUM -> a + c;
            case PROD -> a * c;
            case MAX -> Math.max(a, c);
            case MIN -> Math.min(a, c);
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void linesOfEveryLength(int subgroup) throws Exception {
        int[][] shapes = {{1, 1, 1}, {3, 15, 2}, {2, 16, 1}, {1, 17, 3}, {2, 513, 1}, {2, 4097, 1}, {1, 9000, 2}};
        for (int[] s : shapes) {
            for (ReduceKind kind : ReduceKind.values()) {
                boolean exclusive = s[1] % 2 == 1;
                float[] x = random(s[0] * s[1] * s[2], 3);
                for (int i = 0; kind == ReduceKind.PROD && i < x.length; i++) {
                    x[i] = 1 + (x[i] - 0.5f) / 64;
                }
                float[] out = floats(subgroup, new Scan(kind, ElementType.F32, exclusive, s[0], s[1], s[2]), x);
                for (int line = 0; line < s[0] * s[2]; line++) {
                    double fold = start(kind);
                    for (int i = 0; i < s[1]; i++) {
                        int at = (line / s[2] * s[1] + i) * s[2] + line % s[2];
                        double next = join(kind, fold, x[at]);
                        double expected = exclusive ? fold : next;
                        assertEquals(expected, out[at], Math.abs(expected) * 4e-6, kind + " " + Arrays.toString(s) + " at " + i);
                        fold = next;
                    }
                }
            }
        }
    }

    @Test
    void integersWrap() throws Exception {
        int[] x = new int[5000];
        Arrays.setAll(x, i -> i * 0x01234567);
        int[] expected = x.clone();
        Arrays.parallelPrefix(expected, Integer::sum);
        try (KernelRun run = new KernelRun(32)) {
            DeviceBuffer out = run.empty("out", 4L * x.length);
            run.run(new Scan(ReduceKind.SUM, ElementType.I32, false, 1, x.length, 1).stages(run.limits()), List.of(run.ints("x", x)), List.of(out));
            assertArrayEquals(expected, run.ints(out));
        }
    }

    /** A draw finds its token by a running sum: a token of no weight must never be one where the sum moves. */
    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void sumsStandStillAtZerosAndNeverFall(int subgroup) throws Exception {
        float[] x = random(20_000, 5);
        Random random = new Random(6);
        for (int i = 0; i < x.length; i++) {
            x[i] = random.nextInt(3) > 0 ? 0 : x[i] * (random.nextInt(50) == 0 ? 1000 : 1e-3f);
        }
        float[] sums = floats(subgroup, new Scan(ReduceKind.SUM, ElementType.F32, false, 1, x.length, 1), x);
        float[] before = floats(subgroup, new Scan(ReduceKind.SUM, ElementType.F32, true, 1, x.length, 1), x);
        for (int i = 1; i < x.length; i++) {
            assertTrue(x[i] == 0 ? sums[i] == sums[i - 1] : sums[i] >= sums[i - 1]);
            assertEquals(sums[i - 1], before[i]);
        }
        float[] fewer = floats(subgroup, new Scan(ReduceKind.SUM, ElementType.F32, false, 1, 333, 1), Arrays.copyOf(x, 333));
        assertArrayEquals(Arrays.copyOf(sums, 333), fewer);
    }
}
