package poot.emit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.backend.cpu.emit.Emitter;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.kernel.Emitted;
import poot.backend.cpu.x86.weight.Layout;
import poot.backend.cpu.x86.weight.Placement;
import poot.core.quant.QuantFormats;

/**
 * Products by emitted code against decode and sums in F64: every format there is code for, every width, every number of
 * activation rows up to two tiles and a rest. The bits are the same for few rows and for many, and for all widths.
 */
class EmittedKernelsTest {
    /** Of the numbers of activation rows every so many-th is run with a shape; with all shapes all are. */
    private static final int SPACED = 5;
    /** Largest error, of the root mean square of the outputs: integers of sixteen bits; F32 sums, and fine integers. */
    private static final double INTEGER_ERROR = 2e-4;
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
        return StoredForm.all().stream().flatMap(f -> Arrays.stream(Width.values()).map(w -> Arguments.of(f, w)));
    }

    /** Skips, by name, what this processor has not. */
    private static void require(Simd simd) {
        Optional<Simd> widest = Emitter.probe().simd();
        boolean there = widest.isPresent() && (!simd.wide() || widest.get().wide()) && (!simd.vnni() || widest.get().vnni());
        assumeTrue(there, "this processor runs no kernels of " + simd.title());
    }

    @ParameterizedTest
    @MethodSource("formatsAndWidths")
    void productsAreThoseOfDecodedWeights(StoredForm form, Width width) throws Exception {
        Simd simd = width.simd;
        require(simd);
        try (KernelRun run = new KernelRun(simd, folder); KernelRun narrow = new KernelRun(Simd.AVX2, folder)) {
            for (int n : form.outputs()) {
                for (int i = 0; i < form.inputs().length; i++) {
                    int first = 1 + (n + i) % SPACED;
                    try (Arena arena = Arena.ofConfined()) {
                        Product product = Product.random(form, n, form.inputs()[i], i % 2 == 1, folder, arena);
                        int most = 2 * Emitted.tile(simd, product.layout()) + 3;
                        for (int m = first; m <= most; m += SPACED) {
                            check(run, narrow, simd, product, m);
                        }
                    }
                }
            }
        }
    }

    private static void check(KernelRun run, KernelRun narrow, Simd simd, Product product, int m) throws Exception {
        float[][] x = Arrays.copyOf(product.x, m);
        float[][] many = run.many(product.weight, x);
        String what = product + ", " + m + " rows";
        product.check(many, what);
        if (m <= run.few(product.weight)) {
            same(many, run.few(product.weight, x), what + ": few and many");
        }
        if (simd.wide()) {
            same(many, narrow.many(product.weight, x), what + ": widths");
        }
    }

    /** By panels, and for few rows of x; of weights of one group of outputs and of more, and from a later group on. */
    @ParameterizedTest
    @MethodSource("formatsAndWidths")
    void interleavedRowsGiveTheSameBits(StoredForm form, Width width) throws Exception {
        Simd simd = width.simd;
        require(simd);
        try (KernelRun plain = new KernelRun(simd, folder); KernelRun interleaved = new KernelRun(simd, true, folder)) {
            for (int i = 0; i < 2; i++) {
                try (Arena arena = Arena.ofConfined()) {
                    Product product = Product.random(form, 16 * (i + 1), form.inputs()[i], i == 1, folder, arena);
                    if (!interleaved.interleaves(product.weight)) {
                        continue;
                    }
                    float[][] x = Arrays.copyOf(product.x, Emitted.tile(simd, product.layout()) + 1);
                    float[][] y = plain.many(product.weight, x);
                    same(interleaved.many(product.weight, x), y, product + " by panels");
                    for (int m = 1; m <= interleaved.few(product.weight); m++) {
                        same(interleaved.few(product.weight, Arrays.copyOf(x, m)), y, product + ", " + m + " rows");
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

    /** A weight, activations and the products' reference. */
    private record Product(Weight weight, int n, int k, float[][] x, double[][] y) {
        /** For as many rows of x as any kernel takes in two tiles, and some. */
        private static final int MOST = 2 * 12 + 3;

        static Product random(StoredForm form, int n, int k, boolean later, Path folder, Arena arena) throws Exception {
            Random random = new Random(31L * n + k);
            StoredForm.Memory memory = new StoredForm.Memory(folder, arena, random);
            Weight weight = later ? form.later(n, k, memory) : form.weight(n, k, memory);
            float[][] x = new float[MOST][k];
            for (float[] row : x) {
                for (int i = 0; i < k; i++) {
                    row[i] = (float) random.nextGaussian();
                }
            }
            double[][] y = new double[MOST][n];
            float[] row = new float[k];
            for (int j = 0; j < n; j++) {
                weight.decode(j, 0, k, row, 0);
                for (int i = 0; i < MOST; i++) {
                    y[i][j] = dot(row, x[i]);
                }
            }
            return new Product(weight, n, k, x, y);
        }

        Layout layout() {
            return Placement.of(weight, Simd.AVX2.lanes()).orElseThrow().rows().layout();
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
            double error = layout().floating() || layout().fine() ? FLOAT_ERROR : INTEGER_ERROR;
            double allowed = Math.sqrt(square / ((double) y.length * n)) * error;
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
            return weight.name() + " [" + n + ", " + k + "]";
        }
    }

    @ParameterizedTest
    @MethodSource("formatsAndWidths")
    void onlyLanesOfTheMaskAreWritten(StoredForm form, Width width) throws Exception {
        require(width.simd);
        int lanes = width.simd.lanes();
        try (KernelRun run = new KernelRun(width.simd, folder); Arena arena = Arena.ofConfined()) {
            Product product = Product.random(form, lanes, form.inputs()[1], false, folder, arena);
            float[][] x = Arrays.copyOf(product.x, 2);
            float[][] whole = run.many(product.weight, x);
            for (int[] mask : new int[][] {{0, 1}, {lanes - 1, lanes}, {3, 6}, {1, lanes}, {0, lanes - 1}}) {
                run.only(mask[0], mask[1]);
                for (float[][] y : List.of(run.many(product.weight, x), run.few(product.weight, x))) {
                    for (int i = 0; i < lanes; i++) {
                        int expected = i >= mask[0] && i < mask[1] ? Float.floatToRawIntBits(whole[1][i]) : KernelRun.CANARY;
                        assertEquals(expected, Float.floatToRawIntBits(y[1][i]), form + " lane " + i);
                    }
                }
            }
        }
    }

    /** The exponents of MXFP4, subnormal powers and the largest among them: half of each, from a code of one half. */
    @ParameterizedTest
    @EnumSource(Width.class)
    void everyExponentIsItsPowerOfTwo(Width width) throws Exception {
        require(width.simd);
        try (KernelRun run = new KernelRun(width.simd, folder); Arena arena = Arena.ofConfined()) {
            MemorySegment weights = Guarded.of(folder, 256 * 17, arena);
            for (int e = 0; e < 256; e++) {
                weights.set(ValueLayout.JAVA_BYTE, 17L * e, (byte) e);
                weights.set(ValueLayout.JAVA_BYTE, 17L * e + 1, (byte) 1);
            }
            Weight weight = Weight.whole("exponents", QuantFormats.of(Encoding.MXFP4), Shape.of(256, 32), List.of(weights));
            float[][] x = new float[1][32];
            x[0][0] = 32767;
            float[][] large = run.few(weight, x);
            x[0][0] = 1;
            float[][] one = run.few(weight, x);
            for (int e = 0; e < 256; e++) {
                double half = Math.scalb(1.0, e - 128);
                assertEquals(half, e < 128 ? large[0][e] / 32767 : one[0][e], 1e-4 * half, "exponent " + e);
            }
        }
    }

    @Test
    @SuppressWarnings("restricted")
    void theGuardIsFatal() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment guarded = Guarded.of(folder, 5, arena);
            guarded.set(ValueLayout.JAVA_BYTE, 4, (byte) 1);
            MemorySegment longer = guarded.reinterpret(6);
            assertThrows(InternalError.class, () -> longer.get(ValueLayout.JAVA_BYTE, 5));
        }
    }

    @ParameterizedTest
    @MethodSource("formatsAndWidths")
    void numbersThatAreNoneReachEveryOutputOfTheirRow(StoredForm form, Width width) throws Exception {
        Simd simd = width.simd;
        require(simd);
        try (KernelRun run = new KernelRun(simd, folder); Arena arena = Arena.ofConfined()) {
            Product product = Product.random(form, 16, form.inputs()[1], false, folder, arena);
            int tile = Emitted.tile(simd, product.layout());
            product.x[tile - 1][product.k - 1] = Float.NaN;
            float[][] y = run.many(product.weight, Arrays.copyOf(product.x, tile));
            for (int j = 0; j < product.n; j++) {
                assertTrue(Float.isNaN(y[tile - 1][j]), form + " output " + j + " is " + y[tile - 1][j]);
                assertTrue(Float.isFinite(y[0][j]), form + " output " + j + " of another row is " + y[0][j]);
            }
        }
    }

    /** Every zero point at every place of a word, under activations that lose nothing. */
    @ParameterizedTest
    @EnumSource(Width.class)
    void everyZeroPointIsSubtracted(Width width) throws Exception {
        require(width.simd);
        for (StoredForm form : StoredForm.all()) {
            if (!form.name().startsWith("GPTQ by 32") && !form.name().startsWith("AWQ by 32")) {
                continue;
            }
            try (KernelRun run = new KernelRun(width.simd, folder); Arena arena = Arena.ofConfined()) {
                Product product = Product.random(form, 128, 32, false, folder, arena);
                MemorySegment zeros = product.weight.parts().get(1);
                for (int output = 0; output < 128; output += 2) {
                    int zero = output / 8 + output;
                    zeros.set(ValueLayout.JAVA_BYTE, output / 2, (byte) (zero % 16 << 4 | (zero + 5) % 16));
                }
                float[][] x = new float[1][32];
                for (int i = 0; i < 32; i++) {
                    x[0][i] = i % 3 == 0 ? -1 : 1;
                }
                float[] y = run.few(product.weight, x)[0];
                float[] row = new float[32];
                for (int j = 0; j < 128; j++) {
                    product.weight.decode(j, 0, 32, row, 0);
                    assertEquals(Product.dot(row, x[0]), y[j], 1e-6, form + ", output " + j);
                }
            }
        }
    }

    /** A code of E4M3 that is no number makes its output none for every row of x, and no other. */
    @ParameterizedTest
    @EnumSource(Width.class)
    void elementsThatAreNoNumbersReachTheirOutput(Width width) throws Exception {
        require(width.simd);
        StoredForm form = StoredForm.all().stream().filter(f -> f.name().startsWith("FP8 by channel")).findFirst().orElseThrow();
        try (KernelRun run = new KernelRun(width.simd, folder)) {
            for (int at = 0; at < 128; at++) {
                try (Arena arena = Arena.ofConfined()) {
                    Product product = Product.random(form, 16, 128, false, folder, arena);
                    int output = at % 16;
                    product.weight.parts().getFirst().set(
                            ValueLayout.JAVA_BYTE, 128L * output + at, (byte) (at % 3 == 0 ? 0x7F : 0xFF));
                    for (float[][] y : List.of(run.few(product.weight, Arrays.copyOf(product.x, 2)),
                            run.many(product.weight, Arrays.copyOf(product.x, 2)))) {
                        for (int j = 0; j < 16; j++) {
                            assertEquals(j == output, Float.isNaN(y[0][j]), "element " + at + ", output " + j);
                            assertEquals(j == output, Float.isNaN(y[1][j]), "element " + at + ", output " + j);
                        }
                    }
                }
            }
        }
    }

    /** Every E4M3 number, subnormals too, is what decode says, to the bit. */
    @ParameterizedTest
    @EnumSource(Width.class)
    void everyEightBitNumberIsItsValue(Width width) throws Exception {
        require(width.simd);
        try (KernelRun run = new KernelRun(width.simd, folder); Arena arena = Arena.ofConfined()) {
            MemorySegment codes = Guarded.of(folder, 256 * 64, arena);
            MemorySegment scales = Guarded.of(folder, 4 * 256, arena);
            for (int i = 0; i < 256; i++) {
                codes.set(ValueLayout.JAVA_BYTE, 64L * i + i % 64, (byte) i);
                scales.set(ValueLayout.JAVA_FLOAT, 4L * i, (float) Math.scalb(1 + i / 256.0, i % 100 - 93));
            }
            Weight w = Weight.whole("codes", QuantFormats.fp8Channel(ElementType.F32), Shape.of(256, 64), List.of(codes, scales));
            float[][] x = new float[1][64];
            Arrays.fill(x[0], 1);
            float[] y = run.few(w, x)[0];
            float[] row = new float[64];
            for (int i = 0; i < 256; i++) {
                w.decode(i, 0, 64, row, 0);
                float expected = 0;
                for (float f : row) {
                    expected += f;
                }
                assertEquals(expected, y[i], "code " + i);
            }
        }
    }
}
