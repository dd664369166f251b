package poot.core.kernel.generate.product;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.core.kernel.decode.StoredSample;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.generate.DeviceRun;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;

/** Every format through a kernel, bit for bit as its format defines it. */
class DecodeRowsTest {
    static Stream<StoredSample> samples() {
        return Stream.concat(onePart(), Stream.of(
                StoredSample.severalParts(1, 16, 40, 5), StoredSample.severalParts(3, 8, 64, 6), StoredSample.severalParts(1, 3, 7, 7))
                .flatMap(List::stream));
    }

    static Stream<StoredSample> onePart() {
        EnumSet<Encoding> several = EnumSet.of(Encoding.GPTQ_4, Encoding.AWQ_4, Encoding.FP8_CHANNEL, Encoding.FP8_BLOCK, Encoding.MXFP4_PAIRS);
        return EnumSet.complementOf(several).stream().flatMap(e -> e.isDense()
                ? Stream.of(1, 6, 20, 40, 48).map(n -> StoredSample.of(e, 3, n, 1))
                : Stream.of(StoredSample.of(e, 2, 3 * e.blockElements(), 1)));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void whole(StoredSample w) throws Exception {
        WeightView all = WeightView.all(w.stored());
        float[] got = decode(w, all, all.rows());
        for (int row = 0; row < all.rows(); row++) {
            assertSame(w.row(row), got, row);
        }
    }

    @Test
    void rowsByIndex() throws Exception {
        StoredSample w = StoredSample.of(Encoding.Q4_K, 6, 256, 2);
        float[] got = decode(w, new WeightView(w.stored(), 2, 3), 5, 2, -1, 0, 3, 2);
        int[] rows = {4, -1, 2, -1, 4};
        for (int i = 0; i < rows.length; i++) {
            assertSame(rows[i] < 0 ? new float[256] : w.row(rows[i]), got, i);
        }
    }

    private static float[] decode(StoredSample w, WeightView view, int count, int... indices) throws Exception {
        try (var device = InterpretedDevice.of(32, Fresh.UNDEFINED)) {
            DeviceRun run = new DeviceRun(device).weight(w);
            if (indices.length > 0) {
                run.ints("indices", indices);
            }
            DeviceBuffer out = run.result(count * view.columns());
            DecodeRows g = new DecodeRows(view, ElementType.F32, indices.length > 0, count);
            run.run(g, g.grid(device.limits()));
            return run.read(out);
        }
    }

    private static void assertSame(float[] want, float[] got, int row) {
        float[] mine = Arrays.copyOfRange(got, row * want.length, (row + 1) * want.length);
        for (int i = 0; i < want.length; i++) {
            assertEquals(Float.floatToIntBits(want[i]), Float.floatToIntBits(mine[i]),
                    "row " + row + ", element " + i + ": want " + want[i] + ", got " + mine[i]);
        }
    }
}
