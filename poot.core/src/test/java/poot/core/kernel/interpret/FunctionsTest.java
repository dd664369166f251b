package poot.core.kernel.interpret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.Functions;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/** The built functions beside double arithmetic. */
class FunctionsTest {
    private static final int N = 8192;
    private static final float INFINITY = Float.POSITIVE_INFINITY;
    private static final float[] EDGES = {0, -0f, 1, -1, INFINITY, -INFINITY, Float.NaN, Float.MIN_VALUE, Float.MAX_VALUE, -Float.MAX_VALUE};

    /** A function of one or two operands as IR. */
    private interface Built {
        Reg of(KernelBuilder b, Reg x, Reg y);
    }

    private static float[] run(Built f, float[] x, float[] y) throws Exception {
        try (var k = new OneLaunch(256, 8, b -> {
            Reg in = b.buffer("x", Access.READ);
            Reg other = b.buffer("y", Access.READ);
            Reg out = b.buffer("out", Access.WRITE);
            Reg n = b.scalar("n", ScalarType.U32);
            Reg i = b.globalThread();
            b.when(b.lt(i, n), () -> b.store(MemoryType.F32, out, i, f.of(b, b.load(MemoryType.F32, in, i), b.load(MemoryType.F32, other, i))));
        })) {
            k.floats("x", x);
            k.floats("y", y);
            DeviceBuffer out = k.buffer("out", 4L * x.length);
            k.u32(x.length).run((x.length + 255) / 256);
            return k.floats(out);
        }
    }

    private static void near(double ulps, double low, double high, Built f, DoubleUnaryOperator exact) throws Exception {
        float[] x = new float[N];
        Random random = new Random(7);
        for (int i = 0; i < N; i++) {
            x[i] = (float) (low + (high - low) * random.nextDouble());
            if (i % 4 == 0) {
                x[i] *= (float) Math.pow(2, -random.nextInt(20));
            }
        }
        float[] out = run(f, x, x);
        double worst = 0;
        int at = 0;
        for (int i = 0; i < N; i++) {
            double error = ulps(out[i], exact.applyAsDouble(x[i]));
            if (error > worst) {
                worst = error;
                at = i;
            }
        }
        assertTrue(worst <= ulps, worst + " ulp at " + x[at]);
    }

    private static double ulps(float got, double exact) {
        if (Float.isNaN(got) || Double.isNaN(exact)) {
            return Float.isNaN(got) && Double.isNaN(exact) ? 0 : 1e9;
        }
        return got == (float) exact ? 0 : Math.abs(got - exact) / Math.max(Math.ulp((float) exact), Float.MIN_NORMAL * 0x1p-20);
    }

    private static void edges(Built f, DoubleUnaryOperator exact) throws Exception {
        float[] out = run(f, EDGES, EDGES);
        for (int i = 0; i < EDGES.length; i++) {
            assertTrue(ulps(out[i], exact.applyAsDouble(EDGES[i])) <= 8, "f(" + EDGES[i] + ") = " + out[i]);
        }
    }

    @Test
    void exponentials() throws Exception {
        near(2, -87, 88, (b, x, y) -> Functions.exp(b, x), Math::exp);
        near(2, -1, 1, (b, x, y) -> Functions.exp(b, x), Math::exp);
        edges((b, x, y) -> Functions.exp(b, x), Math::exp);
        near(4, -80, 80, (b, x, y) -> Functions.sigmoid(b, x), x -> 1 / (1 + Math.exp(-x)));
        edges((b, x, y) -> Functions.sigmoid(b, x), x -> 1 / (1 + Math.exp(-x)));
    }

    @Test
    void logarithms() throws Exception {
        near(2, 1e-30, 3, (b, x, y) -> Functions.log(b, x), Math::log);
        near(2, 1e-30, 1e30, (b, x, y) -> Functions.log(b, x), Math::log);
        edges((b, x, y) -> Functions.log(b, x), Math::log);
    }

    @Test
    void circles() throws Exception {
        for (double most : new double[] {1, 100, 1 << 20}) {
            near(2, -most, most, (b, x, y) -> Functions.sin(b, x), Math::sin);
            near(2, -most, most, (b, x, y) -> Functions.cos(b, x), Math::cos);
        }
    }

    @Test
    void sigmoids() throws Exception {
        near(4, -10, 10, (b, x, y) -> Functions.tanh(b, x), Math::tanh);
        edges((b, x, y) -> Functions.tanh(b, x), Math::tanh);
        near(4, -5, 5, (b, x, y) -> Functions.erf(b, x), FunctionsTest::erf);
        edges((b, x, y) -> Functions.erf(b, x), FunctionsTest::erf);
    }

    @Test
    void powers() throws Exception {
        float[] x = new float[N];
        float[] y = new float[N];
        Random random = new Random(9);
        for (int i = 0; i < N; i++) {
            x[i] = (float) Math.exp(8 * random.nextGaussian());
            y[i] = (float) (random.nextGaussian() * (i % 2 == 0 ? 0.5 : 8));
            if (i % 8 == 7) {
                x[i] = -x[i];
                y[i] = random.nextInt(15) - 7;
            }
        }
        agree(x, y, 8);
        int n = EDGES.length;
        float[] left = new float[n * (n + 3)];
        float[] right = new float[n * (n + 3)];
        float[] more = {2, 3, 0.5f};
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n + 3; j++) {
                left[i * (n + 3) + j] = EDGES[i];
                right[i * (n + 3) + j] = j < n ? EDGES[j] : more[j - n];
            }
        }
        agree(left, right, 8);
    }

    private static void agree(float[] x, float[] y, double most) throws Exception {
        DoubleBinaryOperator exact = Math::pow;
        float[] out = run(Functions::pow, x, y);
        for (int i = 0; i < x.length; i++) {
            double expected = exact.applyAsDouble(x[i], y[i]);
            double error = Math.abs(expected) < Float.MIN_NORMAL ? Math.abs(out[i] - expected) / Float.MIN_NORMAL : ulps(out[i], expected);
            assertTrue(error <= most, x[i] + " ^ " + y[i] + " = " + out[i] + ", not " + expected + ": " + error);
        }
    }

    @Test
    void theReferenceIsTheErrorFunction() {
        assertEquals(0.8427007929497149, erf(1), 1e-14);
        assertEquals(0.9999779095030014, erf(3), 1e-14);
    }

    /** The series of the error function, whose terms stay small enough up to 6. */
    private static double erf(double x) {
        if (Math.abs(x) > 6 || Double.isNaN(x)) {
            return Double.isNaN(x) ? x : Math.signum(x);
        }
        double term = x;
        double sum = x;
        for (int k = 1; k < 200; k++) {
            term *= 2 * x * x / (2 * k + 1);
            sum += term;
        }
        return 2 / Math.sqrt(Math.PI) * Math.exp(-x * x) * sum;
    }
}
