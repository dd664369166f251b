package poot.core.kernel.generate.product;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.core.kernel.decode.StoredSample;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.generate.DeviceRun;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;
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

    @ParameterizedTest
    @MethodSource("onePart")
    void dotsWithinOneThousandth(Encoding encoding) throws Exception {
        GoldenTensors golden = open(encoding);
        float[] want = golden.floats("dot");
        float[] act = golden.floats("act");
        StoredSample w = weight(encoding, golden, "bytes", 4);
        for (int rows : new int[] {1, 9}) {
            float[] x = new float[rows * COLUMNS];
            for (int i = 0; i < rows; i++) {
                System.arraycopy(act, 0, x, i * COLUMNS, COLUMNS);
            }
            try (var device = InterpretedDevice.of(32, Fresh.UNDEFINED)) {
                DeviceRun run = new DeviceRun(device).floats("x", x).u32(rows).weight(w);
                DeviceBuffer out = run.result(rows * 4);
                WeightProduct g = new WeightProduct(ElementType.F32, List.of(WeightView.all(w.stored())), rows, new Epilogue.Store(1, 4));
                run.run(g, g.grid(device.limits()));
                float[] got = run.read(out);
                for (int i = 0; i < got.length; i++) {
                    assertEquals(want[i % 4], got[i], 1e-3 * Math.abs(want[i % 4]), rows + " rows, result " + i);
                }
            }
        }
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
