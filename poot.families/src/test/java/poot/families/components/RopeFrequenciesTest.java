package poot.families.components;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Frequencies against values computed apart in double precision from the published definitions. */
class RopeFrequenciesTest {
    private static void near(RopeFrequencies f, double... expected) {
        assertEquals(expected.length, f.perPosition().count());
        for (int i = 0; i < expected.length; i++) {
            assertEquals(expected[i], f.perPosition().floatAt(i), 1e-7 * expected[i], "pair " + i);
        }
    }

    @Test
    void plainAndLinear() {
        near(RopeFrequencies.plain(8, 10000), 1, 0.1, 0.01, 0.001);
        near(RopeFrequencies.linear(8, 10000, 4), 0.25, 0.025, 0.0025, 0.00025);
    }

    @Test
    void llama3BlendsBetweenItsWavelengths() {
        near(RopeFrequencies.llama3(16, 500000, 8, 1, 4, 64), 1, 0.0794030091792082, 0.004700753866357992, 0.0009115830921521387,
                0.00017677669529663688, 3.428102195952591e-05, 6.647869871181235e-06, 1.2891731721515574e-06);
    }

    @Test
    void yarnRampsBetweenWholePairsOrNot() {
        double scale = RopeFrequencies.yarnScale(4, 1);
        assertEquals(1.138629436111989, scale, 1e-12);
        near(RopeFrequencies.yarn(16, 10000, 4, 512, 32, 1, true, scale), 1, 0.2569350598886808, 0.0625, 0.01383496476323666,
                0.0025, 0.0007905694150420948, 0.00025, 7.905694150420948e-05);
        near(RopeFrequencies.yarn(16, 10000, 4, 512, 32, 1, false, scale), 1, 0.30140647845953206, 0.07039863663460479,
                0.014383359341231184, 0.0025, 0.0007905694150420948, 0.00025, 7.905694150420948e-05);
    }

    @Test
    void factorsDivide() {
        RopeFrequencies f = RopeFrequencies.divided(4, 10000, new double[] {2, 4}, 1.5);
        near(f, 0.5, 0.0025);
        assertEquals(3f, f.scaled(2).scale());
    }

    @Test
    void alibiSlopesOfHeadsThatAreNoPowerOfTwo() {
        float[] slopes = Attention.slopes(6, 8);
        double[] powers = {-2, -4, -6, -8, -1, -3};
        for (int h = 0; h < 6; h++) {
            assertEquals(Math.pow(2, powers[h]), slopes[h], 1e-9);
        }
    }
}
