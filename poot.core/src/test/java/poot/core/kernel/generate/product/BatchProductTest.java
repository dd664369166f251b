package poot.core.kernel.generate.product;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import poot.api.graph.ElementType;
import poot.api.graph.Shape;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.generate.DeviceRun;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.generate.Strided;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;

/** Products of two computed operands against sums in double. */
class BatchProductTest {
    @ParameterizedTest
    @CsvSource({"1,1,1,true", "1,1,1,false", "33,65,32,true", "33,65,32,false", "7,70,45,true", "70,7,45,false"})
    void stretchedBatches(int m, int n, int k, boolean transposed) throws Exception {
        float[] a = random(2 * m * k, 1);
        float[] b = random(3 * n * k, 2);
        Strided batches = Strided.of(Shape.of(2, 3), List.of(new int[] {1, 0}, new int[] {0, 1}));
        for (int subgroup : new int[] {8, 32}) {
            try (var device = InterpretedDevice.of(subgroup, Fresh.UNDEFINED)) {
                DeviceRun run = new DeviceRun(device).floats("a", a).floats("b", b);
                DeviceBuffer out = run.result(6 * m * n);
                BatchProduct g = new BatchProduct(ElementType.F32, ElementType.F32, transposed, batches, m, n, k, new Epilogue.Store(1, n));
                run.run(g, g.grid(device.limits()));
                float[] got = run.read(out);
                for (int i = 0; i < got.length; i++) {
                    int batch = i / (m * n);
                    int x = (batch / 3 * m + i / n % m) * k;
                    double sum = 0;
                    for (int l = 0; l < k; l++) {
                        int y = batch % 3 * n * k + (transposed ? i % n * k + l : l * n + i % n);
                        sum += (double) a[x + l] * b[y];
                    }
                    assertEquals(sum, got[i], 2e-6 * k, "element " + i);
                }
            }
        }
    }

    private static float[] random(int count, long seed) {
        Random random = new Random(seed);
        float[] out = new float[count];
        for (int i = 0; i < count; i++) {
            out[i] = random.nextFloat() * 2 - 1;
        }
        return out;
    }
}
