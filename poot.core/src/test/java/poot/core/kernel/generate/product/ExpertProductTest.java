package poot.core.kernel.generate.product;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.core.kernel.decode.StoredMatrix;
import poot.core.kernel.decode.StoredSample;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.generate.DeviceRun;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;

/** Products of which each row names its matrix. */
class ExpertProductTest {
    private static final int[] INDICES = {1, 2, 0, -1, 2, 3};

    static Stream<StoredSample> weights() {
        return Stream.concat(StoredSample.severalParts(3, 8, 40, 5).stream(),
                Stream.of(Encoding.BF16, Encoding.Q4_K, Encoding.Q8_0).map(ExpertProductTest::stacked));
    }

    /** Three matrices of seven rows. */
    private static StoredSample stacked(Encoding e) {
        StoredSample flat = StoredSample.of(e, 21, 256, 4);
        return new StoredSample(flat.name(), new StoredMatrix(e, flat.stored().scales(), 3, 7, 256), flat.format(), flat.parts());
    }

    @ParameterizedTest
    @MethodSource("weights")
    void eachRowHasItsMatrix(StoredSample w) throws Exception {
        int n = w.stored().rows();
        int k = w.stored().columns();
        float[] x = random(INDICES.length / 2 * k);
        try (var device = InterpretedDevice.of(32, Fresh.UNDEFINED)) {
            DeviceRun run = new DeviceRun(device).floats("x", x).u32(INDICES.length).weight(w).ints("indices", INDICES);
            DeviceBuffer out = run.result(INDICES.length * n);
            ExpertProduct g = new ExpertProduct(ElementType.F32, List.of(WeightView.all(w.stored())), INDICES.length, 2, new Epilogue.Store(1, n));
            run.run(g, g.grid(device.limits()));
            float[] got = run.read(out);
            for (int i = 0; i < got.length; i++) {
                int expert = INDICES[i / n];
                double sum = 0;
                double size = 0;
                float[] row = expert < 0 || expert > 2 ? new float[k] : w.row((long) expert * n + i % n);
                for (int l = 0; l < k; l++) {
                    sum += (double) row[l] * x[i / n / 2 * k + l];
                    size += Math.abs((double) row[l] * x[i / n / 2 * k + l]);
                }
                assertEquals(sum, got[i], 2e-6 * size, "element " + i);
            }
        }
    }

    @Test
    void refusesPartsOfMatrices() {
        StoredMatrix w = new StoredMatrix(Encoding.F32, stacked(Encoding.BF16).stored().scales(), 3, 7, 4);
        Epilogue store = new Epilogue.Store(1, 7);
        assertThrows(IllegalArgumentException.class, () -> new ExpertProduct(ElementType.F32, List.of(new WeightView(w, 7, 8)), 2, 1, store));
        assertThrows(IllegalArgumentException.class, () -> new ExpertProduct(ElementType.F32, List.of(WeightView.all(w)), 3, 2, store));
    }

    private static float[] random(int count) {
        Random random = new Random(3);
        float[] out = new float[count];
        for (int i = 0; i < count; i++) {
            out[i] = 2 * random.nextFloat() - 1;
        }
        return out;
    }
}
