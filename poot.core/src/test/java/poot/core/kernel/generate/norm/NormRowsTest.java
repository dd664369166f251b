package poot.core.kernel.generate.norm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.graph.Composite;
import poot.api.graph.ElementType;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.generate.KernelRun;

class NormRowsTest {
    private static final int ROWS = 3;

    private static float[] random(int n, long seed) {
        Random random = new Random(seed);
        float[] out = new float[n];
        for (int i = 0; i < n; i++) {
            out[i] = (float) random.nextGaussian() + 0.5f;
        }
        return out;
    }

    private static void agrees(int subgroup, NormRows norm) throws Exception {
        int d = norm.width();
        float[] x = random(ROWS * d, 1);
        float[] w = random(d, 2);
        float[] bias = random(d, 3);
        short[] halves = new short[d];
        for (int i = 0; i < d; i++) {
            halves[i] = Float.floatToFloat16(w[i]);
            w[i] = norm.weight() == ElementType.F16 ? Float.float16ToFloat(halves[i]) : w[i];
        }
        try (KernelRun run = new KernelRun(subgroup)) {
            DeviceBuffer out = run.empty("out", 4L * x.length);
            List<Argument> arguments = new ArrayList<>(List.of(Argument.of(run.floats("x", x)),
                    Argument.of(norm.weight() == ElementType.F16 ? run.of("w", MemorySegment.ofArray(halves)) : run.floats("w", w))));
            if (norm.biased()) {
                arguments.add(Argument.of(run.floats("bias", bias)));
            }
            arguments.addAll(List.of(Argument.of(out), Argument.u32(ROWS)));
            run.run(norm, norm.grid(run.limits(), ROWS), arguments);
            float[] y = run.floats(out);
            for (int i = 0; i < y.length; i++) {
                double expected = expected(norm, x, i / d, i % d) * (w[i % d] + norm.offset()) + (norm.biased() ? bias[i % d] : 0);
                assertEquals(expected, y[i], 3e-6 * Math.max(1, Math.abs(expected)), norm + " at " + i);
            }
        }
    }

    private static double expected(NormRows norm, float[] x, int row, int at) {
        int d = norm.width();
        double mean = 0;
        for (int i = 0; norm.centred() && i < d; i++) {
            mean += (double) x[row * d + i] / d;
        }
        double squares = 0;
        for (int i = 0; i < d; i++) {
            squares += (x[row * d + i] - mean) * (x[row * d + i] - mean) / d;
        }
        return (x[row * d + at] - mean) / Math.sqrt(squares + norm.eps());
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void rowsOfEveryWidth(int subgroup) throws Exception {
        for (int width : new int[] {1, 7, 32, 100, 1027, 4096}) {
            agrees(subgroup, NormRows.of(new Composite.RmsNorm(1e-5f, width == 32 ? 1 : 0), ElementType.F32, width == 100 ? ElementType.F16 : ElementType.F32, width, true));
            agrees(subgroup, NormRows.of(new Composite.LayerNorm(1e-5f, width != 7), ElementType.F32, ElementType.F32, width, width != 100));
        }
    }
}
