package poot.backend.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Test;

/** Lanes are summed in the order of a tree over neighbours, interpreted or compiled, in a vector or an array. */
class LanesTest {
    private static float tree(float[] x, int from, int n) {
        return n == 1 ? x[from] : tree(x, from, n / 2) + tree(x, from + n / 2, n / 2);
    }

    @Test
    void sumsHaveOneOrder() {
        Random random = new Random(5);
        float[] x = new float[Lanes.COUNT];
        for (int run = 0; run < 30_000; run++) {
            for (int i = 0; i < x.length; i++) {
                x[i] = (float) random.nextGaussian();
            }
            float expected = tree(x, 0, x.length);
            assertEquals(expected, Lanes.sum(x, 0));
            assertEquals(expected, Lanes.sum(FloatVector.fromArray(Lanes.F32, x, 0)));
        }
    }
}
