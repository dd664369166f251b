package poot.core.kernel.generate.product;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.core.kernel.decode.StoredSample;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.DeviceRun;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.Capability;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/** Products with stored weights against sums in double of what the formats define. */
class WeightProductTest {
    private static final EnumSet<Encoding> SEVERAL = EnumSet.of(Encoding.GPTQ_4, Encoding.AWQ_4, Encoding.FP8_CHANNEL, Encoding.FP8_BLOCK,
            Encoding.MXFP4_PAIRS);

    static Stream<StoredSample> everyFormat() {
        return Stream.concat(EnumSet.complementOf(SEVERAL).stream().map(e -> StoredSample.of(e, 11, e.isDense() ? 72 : 2 * e.blockElements(), 3)),
                Stream.concat(StoredSample.severalParts(1, 11, 72, 4).stream(), StoredSample.severalParts(2, 8, 40, 5).stream()));
    }

    @ParameterizedTest
    @MethodSource("everyFormat")
    void everyFormatOfFewAndManyRows(StoredSample w) throws Exception {
        for (int subgroup : new int[] {8, 32}) {
            check(w, WeightView.all(w.stored()), 1, subgroup);
            check(w, WeightView.all(w.stored()), 3, subgroup);
            check(w, WeightView.all(w.stored()), 9, subgroup);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 9, 33, 64, 65, 100})
    void everyCountOfRows(int rows) throws Exception {
        StoredSample packed = StoredSample.of(Encoding.Q4_0, 19, 96, 7);
        StoredSample dense = StoredSample.of(Encoding.F32, 70, 50, 8);
        StoredSample odd = StoredSample.of(Encoding.F16, 5, 7, 9);
        for (int subgroup : new int[] {8, 32}) {
            check(packed, new WeightView(packed.stored(), 3, 13), rows, subgroup);
            check(dense, WeightView.all(dense.stored()), rows, subgroup);
            check(odd, WeightView.all(odd.stored()), rows, subgroup);
        }
    }

    @Test
    void longRowsAreSplitOverTheWorkgroup() throws Exception {
        StoredSample w = StoredSample.of(Encoding.Q6_K, 3, 1280, 7);
        check(w, WeightView.all(w.stored()), 2, 8);
        StoredSample tall = StoredSample.of(Encoding.Q5_1, 70, 64, 7);
        check(tall, WeightView.all(tall.stored()), 1, 8);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8, 12})
    void severalFormatsAtOnce(int rows) throws Exception {
        StoredSample ordered = StoredSample.severalParts(1, 24, 64, 3).stream()
                .filter(w -> w.name().equals("GPTQ 16 ordered")).findFirst().orElseThrow();
        List<StoredSample> plain = List.of(StoredSample.of(Encoding.F16, 24, 64, 1), StoredSample.of(Encoding.Q4_1, 24, 64, 2));
        check(plain, WeightView.all(ordered.stored()), ElementType.F32, rows, 8);
        check(List.of(plain.get(0), ordered, plain.get(1)), WeightView.all(ordered.stored()), ElementType.F32, rows, 8);
    }

    @Test
    void manyRowsOfAWeightForOneSubgroup() throws Exception {
        StoredSample w = StoredSample.of(Encoding.Q4_K, 150, 768, 5);
        for (int rows : new int[] {1, 4, 8}) {
            check(w, WeightView.all(w.stored()), rows, 8);
        }
    }

    @Test
    void narrowLeftOperands() throws Exception {
        StoredSample w = StoredSample.of(Encoding.Q8_0, 9, 64, 7);
        for (ElementType e : new ElementType[] {ElementType.F16, ElementType.BF16}) {
            check(List.of(w), WeightView.all(w.stored()), e, 3, 32);
            check(List.of(w), WeightView.all(w.stored()), e, 40, 32);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 37})
    void gatedPair(int rows) throws Exception {
        StoredSample gate = StoredSample.of(Encoding.Q4_K, 21, 256, 7);
        StoredSample up = StoredSample.of(Encoding.Q6_K, 21, 256, 8);
        int n = 21;
        Epilogue product = new Times(n);
        float[] x = random(rows * 256, ElementType.F32);
        try (var device = InterpretedDevice.of(32, Fresh.UNDEFINED)) {
            DeviceRun run = new DeviceRun(device).floats("x", x).u32(rows).weight(gate).weight(up);
            DeviceBuffer out = run.result(rows * n);
            WeightProduct g = new WeightProduct(ElementType.F32, List.of(WeightView.all(gate.stored()), WeightView.all(up.stored())), rows, product);
            run.run(g, g.grid(device.limits()));
            float[] got = run.read(out);
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < n; j++) {
                    double[] a = dot(gate.row(j), x, i * 256);
                    double[] c = dot(up.row(j), x, i * 256);
                    assertEquals(a[0] * c[0], got[i * n + j], 1e-5 * (a[1] + 1) * (c[1] + 1), "row " + i + ", column " + j);
                }
            }
        }
    }

    @Test
    void narrowTilesForManyUnits() throws Exception {
        StoredSample w = StoredSample.of(Encoding.Q5_0, 130, 64, 7);
        var limits = new DeviceLimits("interpreted", "many units", 32, 32, 32, 1024, 65_535, 65_535, 24 << 10,
                1L << 30, 1L << 30, 64, true, Set.of());
        try (var device = new InterpretedDevice(limits, Fresh.UNDEFINED)) {
            for (int rows : new int[] {1, 8, 40, 70}) {
                WeightProduct g = product(List.of(w), WeightView.all(w.stored()), ElementType.F32, rows, Precision.F32);
                run(device, g, List.of(w), WeightView.all(w.stored()), 2e-6);
            }
        }
    }

    /** What each precision may err by, of the magnitudes. */
    private static double error(Precision p) {
        return p == Precision.SPLIT_BF16 ? 0x1p-16 : 0x1p-20;
    }

    private static Capability matrix(Precision p) {
        return p == Precision.SPLIT_BF16 ? Capability.MATRIX_BF16 : Capability.MATRIX_F16;
    }

    private static void fragments(List<StoredSample> ws, WeightView view, int rows, Precision p) throws Exception {
        try (var device = InterpretedDevice.of(32, Fresh.UNDEFINED, matrix(p))) {
            TileProduct g = fragments(ws, view, rows, p, device.limits());
            assertEquals(Set.of(matrix(p)), g.kernel(device.limits()).needs());
            run(device, g, g.grid(rows), ElementType.F32, rows, ws, view, error(p));
        }
    }

    private static TileProduct fragments(List<StoredSample> ws, WeightView view, int rows, Precision p, DeviceLimits limits) {
        WeightProduct of = product(ws, view, ElementType.F32, rows, p);
        return new TileProduct(of.left(), of.weights(), FragmentSums.tile(ws.size(), rows, view.rows(), limits), p, of.epilogue());
    }

    @ParameterizedTest
    @EnumSource(value = Precision.class, mode = EnumSource.Mode.EXCLUDE, names = "F32")
    void fragmentsOfEveryCountOfRows(Precision p) throws Exception {
        StoredSample packed = StoredSample.of(Encoding.Q6_K, 67, 256, 7);
        StoredSample halves = StoredSample.of(p == Precision.SPLIT_BF16 ? Encoding.BF16 : Encoding.F16, 67, 256, 7);
        StoredSample odd = StoredSample.of(Encoding.F32, 67, 39, 8);
        for (int rows : new int[] {65, 70, 97}) {
            for (List<StoredSample> ws : List.of(List.of(packed), List.of(halves), List.of(halves, packed), List.of(packed, halves, halves))) {
                fragments(ws, WeightView.all(packed.stored()), rows, p);
            }
            fragments(List.of(odd), new WeightView(odd.stored(), 5, 61), rows, p);
        }
    }

    @ParameterizedTest
    @MethodSource("everyFormat")
    void fragmentsOfEveryFormat(StoredSample w) throws Exception {
        for (Precision p : new Precision[] {Precision.SPLIT_BF16, Precision.SPLIT_F16}) {
            fragments(List.of(w), WeightView.all(w.stored()), 10, p);
        }
    }

    /** Sums that are far from the range of F16, with rows of zeros among the operands. */
    @Test
    void fragmentsReachAsFarAsF32() throws Exception {
        for (float size : new float[] {1e-9f, 1, 1e9f}) {
            StoredSample w = StoredSample.of(Encoding.F32, 20, 48, 9);
            float[] x = random(12 * 48, ElementType.F32);
            for (int i = 0; i < x.length; i++) {
                x[i] *= i / 48 == 3 ? 0 : i / 48 % 2 == 0 ? size : 1 / size;
            }
            for (Precision p : new Precision[] {Precision.SPLIT_BF16, Precision.SPLIT_F16}) {
                try (var device = InterpretedDevice.of(8, Fresh.UNDEFINED, matrix(p))) {
                    TileProduct g = fragments(List.of(w), WeightView.all(w.stored()), 12, p, device.limits());
                    DeviceRun run = new DeviceRun(device).floats("x", x).u32(12).weight(w);
                    DeviceBuffer out = run.result(12 * 20);
                    run.run(g, g.grid(12));
                    compare(w, WeightView.all(w.stored()), 12, x, run.read(out), error(p));
                }
            }
        }
    }

    @Test
    void fragmentsInLittleMemory() throws Exception {
        StoredSample w = StoredSample.of(Encoding.Q5_0, 70, 64, 7);
        var limits = new DeviceLimits("interpreted", "little memory", 32, 32, 32, 128, 65_535, 65_535, 32 << 10, 1L << 30, 1L << 30, 64, true,
                Set.of(Capability.MATRIX_BF16, Capability.MATRIX_F16));
        try (var device = new InterpretedDevice(limits, Fresh.UNDEFINED)) {
            for (Precision p : new Precision[] {Precision.SPLIT_BF16, Precision.SPLIT_F16}) {
                assertTrue(p.fits(limits));
                for (int rows : new int[] {16, 24, 70}) {
                    for (List<StoredSample> ws : List.of(List.of(w), List.of(w, w, w))) {
                        TileProduct g = fragments(ws, WeightView.all(w.stored()), rows, p, limits);
                        run(device, g, g.grid(rows), ElementType.F32, rows, ws, WeightView.all(w.stored()), error(p));
                    }
                }
            }
        }
    }

    /** The product of two sums. */
    private record Times(int columns) implements Epilogue {
        @Override
        public int sums() {
            return 2;
        }

        @Override
        public Bound declare(KernelBuilder b, String prefix) {
            Reg out = b.buffer(prefix + "out", Access.WRITE);
            return (row, column, sums) -> b.store(MemoryType.F32, out, b.mad(row, columns, column), b.mul(sums.get(0), sums.get(1)));
        }
    }

    private static void check(StoredSample w, WeightView view, int rows, int subgroup) throws Exception {
        check(List.of(w), view, ElementType.F32, rows, subgroup);
    }

    private static void check(List<StoredSample> ws, WeightView view, ElementType left, int rows, int subgroup) throws Exception {
        try (var device = InterpretedDevice.of(subgroup, Fresh.UNDEFINED)) {
            run(device, product(ws, view, left, rows, Precision.F32), ws, view, 2e-6);
        }
    }

    private static WeightProduct product(List<StoredSample> ws, WeightView view, ElementType left, int rows, Precision precision) {
        List<WeightView> weights = ws.stream().map(w -> new WeightView(w.stored(), view.firstRow(), view.rows())).toList();
        return new WeightProduct(left, weights, rows, precision, new Epilogue.Store(ws.size(), view.rows()));
    }

    private static void run(InterpretedDevice device, WeightProduct g, List<StoredSample> ws, WeightView view, double tolerance) throws Exception {
        run(device, g, g.grid(device.limits()), g.left(), g.rows(), ws, view, tolerance);
    }

    private static void run(InterpretedDevice device, Generator g, Grid grid, ElementType left, int rows, List<StoredSample> ws, WeightView view,
            double tolerance) throws Exception {
        float[] x = random(rows * view.columns(), left);
        DeviceRun run = new DeviceRun(device);
        run.bytes("x", left == ElementType.F32 ? MemorySegment.ofArray(x) : MemorySegment.ofArray(narrow(x, left))).u32(rows);
        for (StoredSample w : ws) {
            run.weight(w);
        }
        List<DeviceBuffer> out = new ArrayList<>();
        for (int i = 0; i < ws.size(); i++) {
            out.add(run.result(rows * view.rows()));
        }
        run.run(g, grid);
        for (int i = 0; i < ws.size(); i++) {
            compare(ws.get(i), view, rows, x, run.read(out.get(i)), tolerance);
        }
    }

    private static void compare(StoredSample w, WeightView view, int rows, float[] x, float[] got, double tolerance) {
        int n = view.rows();
        for (int j = 0; j < n; j++) {
            float[] weight = w.row(view.firstRow() + j);
            for (int i = 0; i < rows; i++) {
                double[] want = dot(weight, x, i * view.columns());
                assertEquals(want[0], got[i * n + j], tolerance * want[1] + 1e-30, w + " row " + i + " of " + rows + ", column " + j);
            }
        }
    }

    /** The dot product, and that of the magnitudes. */
    private static double[] dot(float[] w, float[] x, int at) {
        double sum = 0;
        double size = 0;
        for (int l = 0; l < w.length; l++) {
            sum += (double) w[l] * x[at + l];
            size += Math.abs((double) w[l] * x[at + l]);
        }
        return new double[] {sum, size};
    }

    /** Values that the type holds exactly. */
    private static float[] random(int count, ElementType type) {
        Random random = new Random(3);
        float[] out = new float[count];
        for (int i = 0; i < count; i++) {
            out[i] = type == ElementType.F32 ? 4 * random.nextFloat() - 2 : (random.nextInt(255) - 127) / 64f;
        }
        return out;
    }

    private static short[] narrow(float[] x, ElementType to) {
        short[] out = new short[x.length];
        for (int i = 0; i < x.length; i++) {
            out[i] = to == ElementType.F16 ? Float.floatToFloat16(x[i]) : (short) (Float.floatToRawIntBits(x[i]) >>> 16);
        }
        return out;
    }
}
