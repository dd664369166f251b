package poot.backend.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Test;

/** The vector functions keep the errors they state. */
class FunctionsTest {
    private static float at(UnaryOperator<FloatVector> f, float x) {
        return f.apply(FloatVector.broadcast(Lanes.F32, x)).lane(0);
    }

    private static void near(UnaryOperator<FloatVector> f, DoubleUnaryOperator exact, float from, float to, double ulps) {
        for (float x = from; x < to; x += (to - from) / 5000) {
            double e = exact.applyAsDouble(x);
            double allowed = ulps * Math.ulp((float) e);
            float a = at(f, x);
            assertTrue(Math.abs(a - e) <= allowed, "at " + x + ": " + a + ", not " + e);
        }
    }

    @Test
    void exponentials() {
        near(Functions::exp, Math::exp, -87, 88.5f, 2);
        assertEquals(Float.POSITIVE_INFINITY, at(Functions::exp, 89));
        assertEquals(0, at(Functions::exp, -104));
        assertEquals(0, at(Functions::exp, Float.NEGATIVE_INFINITY));
        assertEquals(1, at(Functions::exp, 0));
        assertTrue(Float.isNaN(at(Functions::exp, Float.NaN)));
        near(Functions::expOfNegative, Math::exp, -87, 0, 2);
        assertEquals(1, at(Functions::expOfNegative, 0));
        assertEquals(0, at(Functions::expOfNegative, -1e30f));
        assertEquals(0, at(Functions::expOfNegative, Float.NEGATIVE_INFINITY));
    }

    @Test
    void hyperbolicTangents() {
        near(Functions::tanh, Math::tanh, -12, 12, 4);
        assertEquals(1, at(Functions::tanh, 1e10f));
        assertEquals(-1, at(Functions::tanh, Float.NEGATIVE_INFINITY));
        assertTrue(Float.isNaN(at(Functions::tanh, Float.NaN)));
        assertEquals(1e-20f, at(Functions::tanh, 1e-20f));
    }

    @Test
    void errorFunctions() {
        assertEquals(0.5204998778130465, at(Functions::erf, 0.5f), 3e-7);
        assertEquals(0.8427007929497149, at(Functions::erf, 1), 3e-7);
        assertEquals(-0.9953222650189527, at(Functions::erf, -2), 3e-7);
        assertEquals(1, at(Functions::erf, 6));
        assertEquals(-1, at(Functions::erf, Float.NEGATIVE_INFINITY));
        assertEquals(1.1283791e-10f, at(Functions::erf, 1e-10f), 1e-16);
    }
}
