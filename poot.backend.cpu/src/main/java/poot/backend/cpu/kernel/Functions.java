package poot.backend.cpu.kernel;

import static poot.backend.cpu.kernel.Lanes.F32;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * Vector forms of functions the platform has no fast vector instruction for. Each states its error. Callers pass
 * vectors of {@link Lanes#F32}; the methods are small so that they are inlined and their vectors stay in registers.
 */
public final class Functions {
    private static final float LOG2E = 1.44269504f;
    private static final float LN2_HIGH = 0.693359375f;
    private static final float LN2_LOW = -2.12194440e-4f;
    /** 1.5 · 2^23: adding it leaves the nearest integer in the low bits. */
    private static final float ROUND = 12582912f;
    private static final float EXP_MAX = 88.7228394f;
    private static final float EXP_MIN = -87.3365479f;
    private static final float TWO_OVER_ROOT_PI = 1.12837917f;

    private Functions() {}

    /**
     * e^x within 2 units in the last place; results below 2^-126 are 0. After range reduction by multiples of ln 2 a
     * polynomial of degree 6 (Cephes expf).
     */
    public static FloatVector exp(FloatVector x) {
        FloatVector clamped = x.min(EXP_MAX).max(EXP_MIN);
        FloatVector shifted = clamped.fma(FloatVector.broadcast(F32, LOG2E), FloatVector.broadcast(F32, ROUND));
        FloatVector n = shifted.sub(ROUND);
        FloatVector r = n.fma(FloatVector.broadcast(F32, -LN2_HIGH), clamped);
        r = n.fma(FloatVector.broadcast(F32, -LN2_LOW), r);
        FloatVector p = FloatVector.broadcast(F32, 1.9875691500e-4f);
        p = p.fma(r, FloatVector.broadcast(F32, 1.3981999507e-3f));
        p = p.fma(r, FloatVector.broadcast(F32, 8.3334519073e-3f));
        p = p.fma(r, FloatVector.broadcast(F32, 4.1665795894e-2f));
        p = p.fma(r, FloatVector.broadcast(F32, 1.6666665459e-1f));
        p = p.fma(r, FloatVector.broadcast(F32, 5.0000001201e-1f));
        p = p.fma(r.mul(r), r).add(1f);
        IntVector power = shifted.reinterpretAsInts().lanewise(VectorOperators.LSHL, 23);
        FloatVector scaled = p.reinterpretAsInts().add(power).reinterpretAsFloats();
        VectorMask<Float> small = x.compare(VectorOperators.LT, EXP_MIN);
        VectorMask<Float> large = x.compare(VectorOperators.GT, EXP_MAX);
        VectorMask<Float> nan = x.test(VectorOperators.IS_NAN);
        return scaled.blend(0f, small).blend(Float.POSITIVE_INFINITY, large).blend(Float.NaN, nan);
    }

    /** {@link #exp} of what is at most 0, in fewer steps; 0 for NaN. */
    public static FloatVector expOfNegative(FloatVector x) {
        FloatVector shifted = x.fma(FloatVector.broadcast(F32, LOG2E), FloatVector.broadcast(F32, ROUND));
        FloatVector n = shifted.sub(ROUND);
        FloatVector r = n.fma(FloatVector.broadcast(F32, -LN2_HIGH), x);
        r = n.fma(FloatVector.broadcast(F32, -LN2_LOW), r);
        FloatVector p = FloatVector.broadcast(F32, 1.9875691500e-4f);
        p = p.fma(r, FloatVector.broadcast(F32, 1.3981999507e-3f));
        p = p.fma(r, FloatVector.broadcast(F32, 8.3334519073e-3f));
        p = p.fma(r, FloatVector.broadcast(F32, 4.1665795894e-2f));
        p = p.fma(r, FloatVector.broadcast(F32, 1.6666665459e-1f));
        p = p.fma(r, FloatVector.broadcast(F32, 5.0000001201e-1f));
        p = p.fma(r.mul(r), r).add(1f);
        IntVector power = shifted.reinterpretAsInts().lanewise(VectorOperators.LSHL, 23);
        FloatVector scaled = p.reinterpretAsInts().add(power).reinterpretAsFloats();
        return FloatVector.zero(F32).blend(scaled, x.compare(VectorOperators.GE, EXP_MIN));
    }

    /** tanh x within 4 units in the last place: a polynomial below 0.625 (Cephes tanhf), 1 - 2/(e^2x + 1) above. */
    public static FloatVector tanh(FloatVector x) {
        FloatVector a = x.abs();
        FloatVector z = x.mul(x);
        FloatVector p = FloatVector.broadcast(F32, -5.70498872745e-3f);
        p = p.fma(z, FloatVector.broadcast(F32, 2.06390887954e-2f));
        p = p.fma(z, FloatVector.broadcast(F32, -5.37397155531e-2f));
        p = p.fma(z, FloatVector.broadcast(F32, 1.33314422036e-1f));
        p = p.fma(z, FloatVector.broadcast(F32, -3.33332819422e-1f));
        FloatVector near = p.mul(z).fma(x, x);
        FloatVector e = exp(a.add(a)).add(1f);
        FloatVector far = FloatVector.broadcast(F32, 1f).sub(FloatVector.broadcast(F32, 2f).div(e));
        FloatVector signed = far.blend(far.neg(), x.compare(VectorOperators.LT, 0f));
        return signed.blend(near, a.compare(VectorOperators.LT, 0.625f));
    }

    /**
     * erf x within 3e-7: its Taylor series below 0.8, the rational approximation of Abramowitz and Stegun 7.1.26 above.
     */
    public static FloatVector erf(FloatVector x) {
        FloatVector a = x.abs();
        FloatVector z = x.mul(x);
        FloatVector s = FloatVector.broadcast(F32, -1f / 75600f);
        s = s.fma(z, FloatVector.broadcast(F32, 1f / 9360f));
        s = s.fma(z, FloatVector.broadcast(F32, -1f / 1320f));
        s = s.fma(z, FloatVector.broadcast(F32, 1f / 216f));
        s = s.fma(z, FloatVector.broadcast(F32, -1f / 42f));
        s = s.fma(z, FloatVector.broadcast(F32, 0.1f));
        s = s.fma(z, FloatVector.broadcast(F32, -1f / 3f));
        FloatVector near = s.fma(z, FloatVector.broadcast(F32, 1f)).mul(x).mul(TWO_OVER_ROOT_PI);
        FloatVector one = FloatVector.broadcast(F32, 1f);
        FloatVector t = one.div(a.fma(FloatVector.broadcast(F32, 0.3275911f), one));
        FloatVector q = FloatVector.broadcast(F32, 1.061405429f);
        q = q.fma(t, FloatVector.broadcast(F32, -1.453152027f));
        q = q.fma(t, FloatVector.broadcast(F32, 1.421413741f));
        q = q.fma(t, FloatVector.broadcast(F32, -0.284496736f));
        q = q.fma(t, FloatVector.broadcast(F32, 0.254829592f));
        FloatVector far = one.sub(q.mul(t).mul(exp(z.neg())));
        FloatVector signed = far.blend(far.neg(), x.compare(VectorOperators.LT, 0f));
        return signed.blend(near, a.compare(VectorOperators.LT, 0.8f));
    }

    /** x / (1 + e^-x). */
    public static FloatVector silu(FloatVector x) {
        return x.div(exp(x.neg()).add(1f));
    }

    /** x/2 · (1 + erf(x/√2)). */
    public static FloatVector geluErf(FloatVector x) {
        return erf(x.mul(0.70710678f)).add(1f).mul(x.mul(0.5f));
    }

    /** x/2 · (1 + tanh(√(2/π) · (x + 0.044715x³))). */
    public static FloatVector geluTanh(FloatVector x) {
        FloatVector cubic = x.mul(x).mul(x);
        FloatVector inner = cubic.fma(FloatVector.broadcast(F32, 0.044715f), x).mul(0.79788456f);
        return tanh(inner).add(1f).mul(x.mul(0.5f));
    }
}
