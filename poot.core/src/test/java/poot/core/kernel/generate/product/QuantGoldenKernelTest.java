package poot.core.kernel.generate.product;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
import poot.core.kernel.ir.Capability;
import poot.core.quant.QuantFormats;
import poot.core.quant.GoldenTensors;

/** Kernels decode every one-part encoding as ggml does, bit for bit, and multiply with it. */
class QuantGoldenKernelTest {
    private static final int COLUMNS = 512;

    static Stream<Encoding> onePart() {
        return Arrays.stream(Encoding.values()).filter(e -> e.blockBytes() > 1);
    }

    @ParameterizedTest
    @MethodSource("onePart")
    void decodes(Encoding encoding) throws Exception {
        GoldenTensors golden = open(encoding);
        assertBits(golden.floats("dequant"), decoded(weight(encoding, golden, "bytes", 4)));
        if (!encoding.isDense()) {
            assertBits(golden.floats("rand_dequant"), decoded(weight(encoding, golden, "rand_bytes", 8)));
        }
    }

    @Test
    void twoPartsOfMxfp4() throws Exception {
        GoldenTensors golden = open(Encoding.MXFP4);
        assertBits(golden.floats("dequant"), decoded(pairs(golden, "bytes", 4)));
        assertBits(golden.floats("rand_dequant"), decoded(pairs(golden, "rand_bytes", 8)));
        dots(golden, pairs(golden, "bytes", 4));
    }

    /** Blocks of an exponent and 16 bytes, of elements i and i + 16 each, as codes two neighbours a byte, and exponents. */
    private static StoredSample pairs(GoldenTensors golden, String tensor, int rows) {
        byte[] blocks = golden.bytes(tensor).toArray(ValueLayout.JAVA_BYTE);
        int count = rows * COLUMNS / 32;
        byte[] codes = new byte[16 * count];
        byte[] exponents = new byte[count];
        for (int i = 0; i < count; i++) {
            exponents[i] = blocks[17 * i];
            for (int j = 0; j < 32; j++) {
                int code = blocks[17 * i + 1 + j % 16] >> j / 16 * 4 & 15;
                codes[16 * i + j / 2] |= (byte) (code << j % 2 * 4);
            }
        }
        return new StoredSample("MXFP4_PAIRS", new StoredMatrix(Encoding.MXFP4_PAIRS, rows, COLUMNS), QuantFormats.mxfp4Pairs(),
                List.of(MemorySegment.ofArray(codes), MemorySegment.ofArray(exponents)));
    }

    @ParameterizedTest
    @MethodSource("onePart")
    void dotsWithinOneThousandth(Encoding encoding) throws Exception {
        GoldenTensors golden = open(encoding);
        dots(golden, weight(encoding, golden, "bytes", 4));
    }

    /** By threads, and by fragments of either type where there are rows enough. */
    private static void dots(GoldenTensors golden, StoredSample w) throws Exception {
        for (Precision p : Precision.values()) {
            dots(golden, w, p, p == Precision.F32 ? 1 : 9);
            dots(golden, w, p, 70);
        }
    }

    private static void dots(GoldenTensors golden, StoredSample w, Precision p, int rows) throws Exception {
        float[] want = golden.floats("dot");
        float[] act = golden.floats("act");
        float[] x = new float[rows * COLUMNS];
        for (int i = 0; i < rows; i++) {
            System.arraycopy(act, 0, x, i * COLUMNS, COLUMNS);
        }
        try (var device = InterpretedDevice.of(32, Fresh.UNDEFINED, Capability.MATRIX_BF16, Capability.MATRIX_F16)) {
            DeviceRun run = new DeviceRun(device).floats("x", x).u32(rows).weight(w);
            DeviceBuffer out = run.result(rows * 4);
            WeightProduct g = new WeightProduct(ElementType.F32, List.of(WeightView.all(w.stored())), rows, p, new Epilogue.Store(1, 4));
            run.run(g, g.grid(device.limits()));
            float[] got = run.read(out);
            for (int i = 0; i < got.length; i++) {
                double allowed = 1e-3 * Math.abs(want[i % 4]) + error(p) * magnitude(w.row(i % 4), act);
                assertEquals(want[i % 4], got[i], allowed, p + ", " + rows + " rows, result " + i);
            }
        }
    }

    /** What a precision may err by, of the terms' magnitude: in some rows they cancel to a hundredth of it. */
    private static double error(Precision p) {
        return switch (p) {
            case F32 -> 0;
            case SPLIT_BF16 -> 0x1p-16;
            case SPLIT_F16 -> 0x1p-20;
        };
    }

    private static double magnitude(float[] w, float[] x) {
        double sum = 0;
        for (int i = 0; i < w.length; i++) {
            sum += Math.abs((double) w[i] * x[i]);
        }
        return sum;
    }

    private static float[] decoded(StoredSample w) throws Exception {
        try (var device = InterpretedDevice.of(8, Fresh.UNDEFINED)) {
            DeviceRun run = new DeviceRun(device).weight(w);
            DeviceBuffer out = run.result(w.stored().rows() * COLUMNS);
            DecodeRows g = new DecodeRows(WeightView.all(w.stored()), ElementType.F32, false, w.stored().rows());
            run.run(g, g.grid(device.limits()));
            return run.read(out);
        }
    }

    private static void assertBits(float[] want, float[] got) {
        assertEquals(want.length, got.length);
        for (int i = 0; i < want.length; i++) {
            assertEquals(Float.floatToIntBits(want[i]), Float.floatToIntBits(got[i]), "element " + i + ": want " + want[i] + ", got " + got[i]);
        }
    }

    private static StoredSample weight(Encoding e, GoldenTensors golden, String tensor, int rows) {
        return StoredSample.of(e, rows, COLUMNS, golden.bytes(tensor).toArray(ValueLayout.JAVA_BYTE));
    }

    private static GoldenTensors open(Encoding encoding) {
        assumeTrue(Files.isDirectory(GoldenTensors.folder()), "golden files of packed formats are not present");
        return GoldenTensors.open(encoding.name().toLowerCase(Locale.ROOT).replaceFirst("_k$", "_K"));
    }
}
