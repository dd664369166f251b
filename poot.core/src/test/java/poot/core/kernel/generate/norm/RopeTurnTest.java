package poot.core.kernel.generate.norm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.graph.Composite;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.generate.KernelRun;

class RopeTurnTest {
    private static void agrees(int subgroup, Composite.Rope rope, int heads, int width) throws Exception {
        int[] positions = {0, 1, -1, 4095, 131_071, 77};
        Random random = new Random(4);
        float[] x = new float[positions.length * heads * width];
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) random.nextGaussian();
        }
        float[] frequencies = new float[rope.rotary() / 2];
        for (int i = 0; i < frequencies.length; i++) {
            frequencies[i] = (float) Math.pow(10_000, -2.0 * i / rope.rotary());
        }
        try (KernelRun run = new KernelRun(subgroup)) {
            DeviceBuffer out = run.empty("out", 4L * x.length);
            RopeTurn turn = new RopeTurn(rope, heads, width);
            run.run(turn, turn.grid(run.limits(), positions.length), List.of(Argument.of(run.floats("x", x)), Argument.of(run.ints("p", positions)),
                    Argument.of(run.floats("f", frequencies)), Argument.of(out), Argument.u32(positions.length)));
            float[] y = run.floats(out);
            for (int i = 0; i < y.length; i++) {
                int at = i % width;
                double expected = x[i];
                if (at < rope.rotary()) {
                    int half = rope.rotary() / 2;
                    int pair = rope.interleaved() ? at / 2 : at % half;
                    boolean first = rope.interleaved() ? at % 2 == 0 : at < half;
                    int other = i + (first ? 1 : -1) * (rope.interleaved() ? 1 : half);
                    double angle = (float) positions[i / (heads * width)] * frequencies[pair];
                    expected = rope.scale() * (x[i] * Math.cos(angle) + (first ? -1 : 1) * x[other] * Math.sin(angle));
                }
                assertEquals(expected, y[i], 2e-6, rope + " at " + i);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void pairsSideBySideAndHalvesApart(int subgroup) throws Exception {
        agrees(subgroup, new Composite.Rope(16, false, 1), 3, 16);
        agrees(subgroup, new Composite.Rope(16, true, 1.25f), 3, 24);
        agrees(subgroup, new Composite.Rope(8, false, 1), 1, 20);
        agrees(subgroup, new Composite.Rope(2, true, 1), 2, 2);
    }
}
