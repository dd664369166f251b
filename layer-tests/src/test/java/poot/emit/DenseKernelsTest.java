package poot.emit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
import poot.api.graph.Shape;
import poot.backend.cpu.emit.Emitter;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.weight.DenseFormat;
import poot.core.quant.QuantFormats;

/**
 * Products with dense weights by emitted code against sums in F64: every width, every number of activation rows up to two
 * tiles and a rest. The bits are the same for few rows and for many, in blocks of k and in one, and for all widths.
 */
class DenseKernelsTest {
    /** Outputs: whole groups and rests of eight and of sixteen. */
    private static final int[] OUTPUTS = {16, 23, 35};
    private static final int STEPS = 4;
    /** Outputs of a group, of the widest vectors. */
    private static final int LANES = 16;
    /** Of the numbers of activation rows every so many-th is run with a shape; with all shapes all are. */
    private static final int SPACED = 5;
    /** Largest error, of the root mean square of the outputs. */
    private static final double FLOAT_ERROR = 1e-5;

    @TempDir
    Path folder;

    private enum Width {
        AVX2(Simd.AVX2), AVX512(Simd.AVX512), AVX512_VNNI(Simd.AVX512_VNNI);

        private final Simd simd;

        Width(Simd simd) {
            this.simd = simd;
        }
    }

    static Stream<Arguments> formatsAndWidths() {
        return Arrays.stream(DenseFormat.values()).flatMap(f -> Arrays.stream(Width.values()).map(w -> Arguments.of(f, w)));
    }

    /** Skips, by name, what this processor has not. */
    private static void require(Simd simd) {
        Optional<Simd> widest = Emitter.probe().simd();
        boolean there = widest.isPresent() && (!simd.wide() || widest.get().wide()) && (!simd.vnni() || widest.get().vnni());
        assumeTrue(there, "this processor runs no kernels of " + simd.title());
    }

    @ParameterizedTest
    @MethodSource("formatsAndWidths")
    void productsAreThoseOfDecodedWeights(DenseFormat format, Width width) throws Exception {
        Simd simd = width.simd;
        require(simd);
        int step = format.layout().step();
        try (DenseRun run = new DenseRun(simd, format, false, folder); DenseRun narrow = new DenseRun(Simd.AVX2, format, false, folder)) {
            int most = 2 * run.tile() + 3;
            for (int n : OUTPUTS) {
                for (int steps = 1; steps <= STEPS; steps++) {
                    int first = 1 + (n + steps) % SPACED;
                    try (Arena arena = Arena.ofConfined()) {
                        Product product = Product.random(Encoding.valueOf(format.name()), n, steps * step, most, folder, arena);
                        for (int m = first; m <= most; m += SPACED) {
                            check(run, narrow, simd, product, m);
                        }
                    }
                }
            }
        }
    }

    private static void check(DenseRun run, DenseRun narrow, Simd simd, Product product, int m) throws Exception {
        float[][] x = Arrays.copyOf(product.x, m);
        float[][] many = run.many(product.weights, product.n, x);
        String what = product + ", " + m + " rows";
        product.check(many, what);
        if (m <= run.tile()) {
            same(many, run.few(product.weights, product.n, x), what + ": few and many");
        }
        if (simd.wide()) {
            same(many, narrow.many(product.weights, product.n, x), what + ": widths");
        }
    }

    @ParameterizedTest
    @MethodSource("formatsAndWidths")
    void interleavedRowsGiveTheSameBits(DenseFormat format, Width width) throws Exception {
        require(width.simd);
        try (DenseRun plain = new DenseRun(width.simd, format, false, folder);
                DenseRun interleaved = new DenseRun(width.simd, format, true, folder)) {
            int most = 2 * plain.tile() + 1;
            for (int n = LANES; n <= 2 * LANES; n += LANES) {
                for (int steps = 1; steps <= STEPS; steps++) {
                    try (Arena arena = Arena.ofConfined()) {
                        Product product = Product.random(
                                Encoding.valueOf(format.name()), n, steps * format.layout().step(), most, folder, arena);
                        for (int m = 1; m <= most; m++) {
                            float[][] x = Arrays.copyOf(product.x, m);
                            float[][] y = plain.many(product.weights, n, x);
                            String what = product + ", " + m + " rows";
                            same(y, interleaved.many(product.weights, n, x), what);
                            if (m <= plain.tile()) {
                                same(y, interleaved.few(product.weights, n, x), what + ", one tile");
                            }
                        }
                    }
                }
            }
        }
    }

    private static void same(float[][] a, float[][] b, String what) {
        for (int i = 0; i < a.length; i++) {
            assertArrayEquals(bits(a[i]), bits(b[i]), what + ", row " + i);
        }
    }

    private static int[] bits(float[] y) {
        int[] bits = new int[y.length];
        for (int j = 0; j < y.length; j++) {
            bits[j] = Float.floatToRawIntBits(y[j]);
        }
        return bits;
    }

    /** Weights, activations and the products' reference. */
    private record Product(Encoding encoding, MemorySegment weights, int n, int k, float[][] x, double[][] y) {
        static Product random(Encoding encoding, int n, int k, int m, Path folder, Arena arena) throws Exception {
            Random random = new Random(31L * n + k);
            long bytes = (long) n * k / encoding.blockElements() * encoding.blockBytes();
            MemorySegment weights = Guarded.of(folder, bytes, arena);
            RandomBlocks.fill(encoding, weights, random);
            float[][] x = new float[m][k];
            for (float[] row : x) {
                for (int i = 0; i < k; i++) {
                    row[i] = (float) random.nextGaussian();
                }
            }
            Format format = QuantFormats.of(encoding);
            double[][] y = new double[m][n];
            float[] row = new float[k];
            for (int j = 0; j < n; j++) {
                format.decode(List.of(weights), Shape.of(n, k), j, 0, k, row, 0);
                for (int i = 0; i < m; i++) {
                    y[i][j] = dot(row, x[i]);
                }
            }
            return new Product(encoding, weights, n, k, x, y);
        }

        private static double dot(float[] a, float[] b) {
            double sum = 0;
            for (int i = 0; i < a.length; i++) {
                sum += (double) a[i] * b[i];
            }
            return sum;
        }

        void check(float[][] got, String what) {
            double square = 0;
            for (double[] row : y) {
                square += dot(row);
            }
            double allowed = Math.sqrt(square / ((double) y.length * n)) * FLOAT_ERROR;
            for (int i = 0; i < got.length; i++) {
                for (int j = 0; j < n; j++) {
                    assertEquals(y[i][j], got[i][j], allowed, what + ", output " + i + ", " + j);
                }
            }
        }

        private static double dot(double[] row) {
            double sum = 0;
            for (double v : row) {
                sum += v * v;
            }
            return sum;
        }

        @Override
        public String toString() {
            return encoding + " [" + n + ", " + k + "]";
        }
    }

    @ParameterizedTest
    @MethodSource("formatsAndWidths")
    void onlyLanesOfTheMaskAreWritten(DenseFormat format, Width width) throws Exception {
        require(width.simd);
        int step = format.layout().step();
        int lanes = width.simd.lanes();
        try (DenseRun run = new DenseRun(width.simd, format, false, folder); Arena arena = Arena.ofConfined()) {
            Product product = Product.random(Encoding.valueOf(format.name()), lanes, 2 * step, 2, folder, arena);
            float[][] whole = run.many(product.weights, lanes, product.x);
            for (int[] mask : new int[][] {{0, 1}, {lanes - 1, lanes}, {3, 6}, {1, lanes}, {0, lanes - 1}}) {
                run.only(mask[0], mask[1]);
                for (float[][] y : List.of(
                        run.many(product.weights, lanes, product.x), run.few(product.weights, lanes, product.x))) {
                    for (int i = 0; i < lanes; i++) {
                        int expected = i >= mask[0] && i < mask[1] ? Float.floatToRawIntBits(whole[1][i]) : DenseRun.CANARY;
                        assertEquals(expected, Float.floatToRawIntBits(y[1][i]), format + " lane " + i);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("formatsAndWidths")
    void numbersThatAreNoneReachEveryOutputOfTheirRow(DenseFormat format, Width width) throws Exception {
        Simd simd = width.simd;
        require(simd);
        int step = format.layout().step();
        try (DenseRun run = new DenseRun(simd, format, false, folder); Arena arena = Arena.ofConfined()) {
            int tile = run.tile();
            Product product = Product.random(Encoding.valueOf(format.name()), 16, 2 * step, tile, folder, arena);
            product.x[tile - 1][product.k - 1] = Float.NaN;
            float[][] y = run.many(product.weights, product.n, product.x);
            for (int j = 0; j < product.n; j++) {
                assertTrue(Float.isNaN(y[tile - 1][j]), format + " output " + j + " is " + y[tile - 1][j]);
                assertTrue(Float.isFinite(y[0][j]), format + " output " + j + " of another row is " + y[0][j]);
            }
        }
    }
}
