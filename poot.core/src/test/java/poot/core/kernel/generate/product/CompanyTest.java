package poot.core.kernel.generate.product;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.core.kernel.decode.StoredSample;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.generate.DeviceRun;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;

/** What a row of a product is does not depend on the rows beside it, nor on how many there are. */
class CompanyTest {
    private static final int[] ROWS = {1, 2, 8, 33, 64};
    private static final int[] MANY = {65, 97};

    /** Weights of an own launch: their rows, and whether they are of two kinds. */
    private static List<List<StoredSample>> parts(Encoding e, int columns) {
        return List.of(List.of(StoredSample.of(e, 21, columns, 1), StoredSample.of(Encoding.BF16, 21, columns, 2)),
                List.of(StoredSample.of(e, 5, columns, 3)));
    }

    private static float[] floats(int count, int seed) {
        Random random = new Random(seed);
        float[] out = new float[count];
        for (int i = 0; i < count; i++) {
            out[i] = 4 * random.nextFloat() - 2;
        }
        return out;
    }

    /** Results of the first rows of x, part by part and weight by weight. */
    private static List<float[]> products(InterpretedDevice device, List<List<StoredSample>> parts, int columns, int rows, Optional<Normed> norm)
            throws Exception {
        DeviceRun run = new DeviceRun(device).floats("x", Arrays.copyOf(floats(MANY[1] * columns, 7), rows * columns)).u32(rows);
        if (norm.isPresent()) {
            run.floats("norm", floats(columns, 8));
        }
        List<DeviceBuffer> results = new ArrayList<>();
        List<RowProducts.Part> described = new ArrayList<>();
        for (List<StoredSample> p : parts) {
            for (StoredSample w : p) {
                run.weight(w);
            }
            int n = p.getFirst().stored().rows();
            for (int i = 0; i < p.size(); i++) {
                results.add(run.result(rows * n));
            }
            described.add(new RowProducts.Part(p.stream().map(w -> WeightView.all(w.stored())).toList(), new Epilogue.Store(p.size(), n)));
        }
        RowProducts g = new RowProducts(ElementType.F32, norm, rows, described);
        run.run(g, g.grid(device.limits()));
        List<float[]> out = new ArrayList<>();
        for (DeviceBuffer r : results) {
            out.add(run.read(r));
        }
        return out;
    }

    private static void alike(DeviceLimits limits, Encoding e, int columns, Optional<Normed> norm) throws Exception {
        List<List<StoredSample>> parts = parts(e, columns);
        List<float[]> most = List.of();
        for (int rows : new int[] {64, 1, 2, 8, 33}) {
            try (InterpretedDevice device = new InterpretedDevice(limits, Fresh.UNDEFINED)) {
                List<float[]> got = products(device, parts, columns, rows, norm);
                if (most.isEmpty()) {
                    most = got;
                    sums(parts, columns, norm, most);
                }
                for (int i = 0; i < got.size(); i++) {
                    assertArrayEquals(Arrays.copyOf(most.get(i), got.get(i).length), got.get(i), e + " of " + rows + " rows, result " + i);
                }
            }
        }
    }

    /** The last row against sums in double. */
    private static void sums(List<List<StoredSample>> parts, int columns, Optional<Normed> norm, List<float[]> got) {
        float[] x = Arrays.copyOfRange(floats(MANY[1] * columns, 7), 63 * columns, 64 * columns);
        double squares = 0;
        for (float v : x) {
            squares += (double) v * v;
        }
        float[] w = floats(columns, 8);
        double[] normed = new double[columns];
        for (int i = 0; i < columns; i++) {
            normed[i] = norm.isEmpty() ? x[i] : x[i] / Math.sqrt(squares / columns + norm.get().eps()) * ((double) w[i] + norm.get().offset());
        }
        int result = 0;
        for (List<StoredSample> p : parts) {
            for (StoredSample s : p) {
                int n = s.stored().rows();
                for (int j = 0; j < n; j++) {
                    double sum = 0;
                    double size = 0;
                    for (int l = 0; l < columns; l++) {
                        sum += s.row(j)[l] * normed[l];
                        size += Math.abs(s.row(j)[l] * normed[l]);
                    }
                    assertEquals(sum, got.get(result)[63 * n + j], 4e-6 * size + 1e-30, s + " column " + j);
                }
                result++;
            }
        }
    }

    private static DeviceLimits limits(int subgroup, int units) {
        return new DeviceLimits("interpreted", "company", subgroup, subgroup, subgroup, 1024, 65_535, 65_535, 48 << 10,
                1L << 30, 1L << 30, units, true, Set.of());
    }

    @ParameterizedTest
    @EnumSource(value = Encoding.class, names = {"F32", "BF16", "Q8_0", "Q4_K", "Q6_K"})
    void rowsOfPackedAndDenseProducts(Encoding e) throws Exception {
        int columns = e == Encoding.F32 || e == Encoding.BF16 ? 328 : 512;
        for (int units : new int[] {1, 64}) {
            alike(limits(8, units), e, columns, Optional.empty());
            alike(limits(8, units), e, columns, Optional.of(new Normed(1e-5f, 0, ElementType.F32)));
        }
        alike(limits(32, 4), e, columns, Optional.of(new Normed(1e-6f, 1, ElementType.F32)));
    }

    /** Rows of AWQ lie side by side: lanes have rows of the weights. */
    @ParameterizedTest
    @ValueSource(ints = {1, 64})
    void rowsOfWeightsThatLieSideBySide(int units) throws Exception {
        for (StoredSample w : StoredSample.severalParts(1, 24, 64, 3)) {
            List<float[]> most = List.of();
            for (int i = ROWS.length - 1; i >= 0; i--) {
                try (InterpretedDevice device = new InterpretedDevice(limits(8, units), Fresh.UNDEFINED)) {
                    List<float[]> got = products(device, List.of(List.of(w)), 64, ROWS[i], Optional.empty());
                    most = most.isEmpty() ? got : most;
                    assertArrayEquals(Arrays.copyOf(most.getFirst(), got.getFirst().length), got.getFirst(), w + " of " + ROWS[i] + " rows");
                }
            }
        }
    }

    /** Beyond the few a row is the same in any number as well. */
    @ParameterizedTest
    @EnumSource(value = Encoding.class, names = {"F32", "Q4_K"})
    void rowsOfTiles(Encoding e) throws Exception {
        StoredSample w = StoredSample.of(e, 37, 256, 4);
        List<float[]> found = new ArrayList<>();
        for (int rows : MANY) {
            try (InterpretedDevice device = new InterpretedDevice(limits(8, 16), Fresh.UNDEFINED)) {
                DeviceRun run = new DeviceRun(device).floats("x", Arrays.copyOf(floats(MANY[1] * 256, 7), rows * 256)).u32(rows).weight(w);
                DeviceBuffer out = run.result(rows * 37);
                WeightProduct g = new WeightProduct(ElementType.F32, List.of(WeightView.all(w.stored())), rows, new Epilogue.Store(1, 37));
                run.run(g, g.grid(device.limits()));
                found.add(run.read(out));
            }
        }
        assertArrayEquals(found.get(0), Arrays.copyOf(found.get(1), found.get(0).length));
    }
}
