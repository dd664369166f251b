package poot.core.kernel.ir;

/**
 * Functions of F32 built of the language's own arithmetic, so that all devices agree on them: argument reduction, then
 * a polynomial. The coefficients are weighted least-maximum fits over the reduced ranges. Errors are against the exact
 * value and hold where no number is subnormal; each function says its domain.
 */
public final class Functions {
    private static final float LN2_HIGH = 0x1.62e43p-1f;
    private static final float LN2_LOW = -0x1.05c61p-29f;
    private static final float LOG2_E = 0x1.715476p+0f;
    private static final float TWO_OVER_PI = 0x1.45f306p-1f;
    private static final float[] HALF_PI = {0x1.921fb6p+0f, -0x1.777a5cp-25f, -0x1.ee59dap-50f};
    /** (e^r - 1 - r) / r^2 where |r| is up to ln 2 / 2. */
    private static final float[] EXP = {0x1p-1f, 0x1.555556p-3f, 0x1.55546ep-5f, 0x1.111074p-7f, 0x1.6da608p-10f, 0x1.a1c5d2p-13f};
    /** (ln(1 + f) - f + f^2 / 2) / f^3 where 1 + f is sqrt 0.5 to sqrt 2. */
    private static final float[] LOG = {0x1.555546p-2f, -0x1.ffffecp-3f, 0x1.99a584p-3f, -0x1.55637p-3f, 0x1.232dc8p-3f, -0x1.fb28a6p-4f,
        0x1.e684f6p-4f, -0x1.e3a66p-4f, 0x1.1baef4p-4f};
    /** (tanh(t) / t - 1) / t^2 of t^2 where t is up to 0.63. */
    private static final float[] TANH = {-0x1.555554p-2f, 0x1.11105ep-3f, -0x1.b9ecf2p-5f, 0x1.6377eap-6f, -0x1.0b8d42p-7f, 0x1.174d34p-9f};
    /** (sin(t) / t - 1) / t^2 of t^2 where t is up to 0.9. */
    private static final float[] SIN = {-0x1.555556p-3f, 0x1.1110fep-7f, -0x1.a00824p-13f, 0x1.6b494ep-19f};
    /** (cos(t) - 1 + t^2 / 2) / t^4 of t^2 where t is up to 0.9. */
    private static final float[] COS = {0x1.555556p-5f, -0x1.6c16aep-10f, 0x1.a00abcp-16f, -0x1.23028ep-22f};
    /** erf(t) / t of t^2 where t is up to 0.93. */
    private static final float[] ERF = {0x1.20dd76p+0f, -0x1.812744p-2f, 0x1.ce2e1cp-4f, -0x1.b80ff2p-6f, 0x1.54d42ap-8f, -0x1.aaa2d6p-11f,
        0x1.5e062cp-14f};
    /** ln(1 - erf(t)) where t is 0.9 to 4. */
    private static final float[] LOG_ERFC = {0x1.6876aep-14f, -0x1.2104dp+0f, -0x1.44fe6cp-1f, -0x1.b2dc8p-4f, 0x1.7ad76p-6f, -0x1.816e34p-9f,
        -0x1.f362b2p-15f, 0x1.b1b956p-14f, -0x1.2baf02p-16f, 0x1.2a2c14p-20f};

    private Functions() {}

    /** e to the x, 2 ulp; everywhere. */
    public static Reg exp(KernelBuilder b, Reg x) {
        Reg n = powers(b, x);
        return exp(b, x, n, remainder(b, x, n));
    }

    /** How many powers of two e^x is, rounded. */
    private static Reg powers(KernelBuilder b, Reg x) {
        return b.max(b.min(b.roundEven(b.mul(x, LOG2_E)), b.f32(129)), b.f32(-151));
    }

    private static Reg remainder(KernelBuilder b, Reg x, Reg n) {
        return b.fma(n, b.f32(-LN2_LOW), b.fma(n, b.f32(-LN2_HIGH), x));
    }

    /** 2^n * e^r, n being within -151 to 129, where x is what it stands for. */
    private static Reg exp(KernelBuilder b, Reg x, Reg n, Reg r) {
        Reg y = b.add(b.fma(b.mul(r, r), polynomial(b, r, EXP), r), 1);
        // By 2^n in two steps, since 2^n alone may be no normal number.
        Reg whole = b.toI32(n);
        Reg half = b.shr(whole, 1);
        y = b.mul(b.mul(y, powerOfTwo(b, half)), powerOfTwo(b, b.sub(whole, half)));
        y = b.select(b.lt(x, b.f32(-104)), b.f32(0), y);
        return b.select(b.gt(x, b.f32(89)), b.f32(Float.POSITIVE_INFINITY), y);
    }

    /** The natural logarithm, 2 ulp; -infinity of 0, NaN below. */
    public static Reg log(KernelBuilder b, Reg x) {
        Reduced m = reduce(b, x);
        Reg square = b.mul(m.f, m.f);
        Reg y = b.fma(b.mul(m.f, square), polynomial(b, m.f, LOG), b.mul(m.e, LN2_LOW));
        y = b.add(b.fma(b.f32(-0.5f), square, y), m.f);
        y = b.fma(m.e, b.f32(LN2_HIGH), y);
        return logEdges(b, x, y);
    }

    /** The hyperbolic tangent, 4 ulp; everywhere. */
    public static Reg tanh(KernelBuilder b, Reg x) {
        Reg t = b.abs(x);
        Reg square = b.mul(t, t);
        Reg near = b.fma(b.mul(t, square), polynomial(b, square, TANH), t);
        Reg far = b.sub(b.f32(1), b.div(b.f32(2), b.add(exp(b, b.add(t, t)), 1)));
        return withSign(b, b.select(b.lt(t, b.f32(0.625f)), near, far), x);
    }

    /** 1 / (1 + e^-x), 4 ulp; everywhere. */
    public static Reg sigmoid(KernelBuilder b, Reg x) {
        return b.div(b.f32(1), b.add(exp(b, b.neg(x)), 1));
    }

    /** The sine, 2 ulp where |x| is up to 2^20. */
    public static Reg sin(KernelBuilder b, Reg x) {
        Quadrant q = quadrant(b, x);
        return quarter(b, q.r, q.n);
    }

    /** The cosine, 2 ulp where |x| is up to 2^20. */
    public static Reg cos(KernelBuilder b, Reg x) {
        Quadrant q = quadrant(b, x);
        return quarter(b, q.r, b.add(q.n, 1));
    }

    /** The error function, 4 ulp; everywhere. */
    public static Reg erf(KernelBuilder b, Reg x) {
        Reg t = b.abs(x);
        Reg near = b.mul(t, polynomial(b, b.mul(t, t), ERF));
        Reg far = b.sub(b.f32(1), exp(b, polynomial(b, b.min(t, b.f32(4)), LOG_ERFC)));
        Reg y = withSign(b, b.select(b.lt(t, b.f32(0.92f)), near, far), x);
        return b.select(b.ne(x, x), x, y);
    }

    /** x to the y, 8 ulp; of x below 0 where y is an integer, else NaN. */
    public static Reg pow(KernelBuilder b, Reg x, Reg y) {
        Reg t = b.abs(x);
        // ln t as high + low, each step with what it rounds away.
        Reduced m = reduce(b, t);
        Reg square = b.mul(m.f, m.f);
        Reg squareLow = b.fma(m.f, m.f, b.neg(square));
        Reg head = b.fma(b.f32(-0.5f), square, m.f);
        Reg headLow = b.fma(b.f32(-0.5f), squareLow, b.fma(b.f32(-0.5f), square, b.sub(m.f, head)));
        Reg tail = b.fma(b.mul(m.f, square), polynomial(b, m.f, LOG), b.fma(m.e, b.f32(LN2_LOW), headLow));
        Reg big = b.mul(m.e, LN2_HIGH);
        Reg bigLow = b.fma(m.e, b.f32(LN2_HIGH), b.neg(big));
        Reg sum = b.add(big, head);
        Reg moved = b.sub(sum, big);
        Reg sumLow = b.add(b.sub(big, b.sub(sum, moved)), b.sub(head, moved));
        Reg low = b.add(b.add(sumLow, bigLow), tail);
        Reg high = b.add(sum, low);
        low = b.add(b.sub(sum, high), low);
        Reg p = b.mul(y, high);
        Reg pLow = b.fma(y, low, b.fma(y, high, b.neg(p)));
        Reg n = powers(b, p);
        return powEdges(b, x, y, t, exp(b, p, n, b.add(remainder(b, p, n), pLow)));
    }

    private static Reg powEdges(KernelBuilder b, Reg x, Reg y, Reg t, Reg ordinary) {
        Reg zero = b.f32(0);
        Reg infinity = b.f32(Float.POSITIVE_INFINITY);
        Reg one = b.f32(1);
        Reg grows = b.gt(y, zero);
        Reg out = b.select(b.eq(t, zero), b.select(grows, zero, infinity), ordinary);
        out = b.select(b.eq(t, infinity), b.select(grows, infinity, zero), out);
        Reg unbounded = b.eq(b.abs(y), infinity);
        out = b.select(unbounded, b.select(b.eq(b.gt(t, one), grows), infinity, zero), out);
        out = b.select(b.and(unbounded, b.eq(t, one)), b.f32(Float.NaN), out);
        Reg half = b.mul(y, 0.5f);
        Reg whole = b.eq(b.floor(y), y);
        Reg odd = b.and(whole, b.ne(b.floor(half), half));
        Reg negative = b.ne(b.and(b.bits(x), 0x80000000), 0);
        out = b.select(b.and(negative, odd), b.neg(out), out);
        Reg outside = b.and(b.and(b.lt(x, zero), b.not(whole)), b.lt(t, infinity));
        out = b.select(outside, b.f32(Float.NaN), out);
        out = b.select(b.or(b.ne(x, x), b.ne(y, y)), b.f32(Float.NaN), out);
        return b.select(b.eq(y, zero), one, out);
    }

    /** x = 2^e * (1 + f), 1 + f between sqrt 0.5 and sqrt 2, of x above 0. */
    private record Reduced(Reg e, Reg f) {}

    private static Reduced reduce(KernelBuilder b, Reg x) {
        Reg small = b.lt(x, b.f32(Float.MIN_NORMAL));
        Reg bits = b.toI32(b.bits(b.select(small, b.mul(x, 0x1p23f), x)));
        Reg e = b.shr(b.sub(bits, Float.floatToRawIntBits(0x1.6a09e6p-1f)), 23);
        Reg m = b.fromBits(b.toU32(b.sub(bits, b.shl(e, 23))));
        return new Reduced(b.sub(b.toF32(e), b.select(small, b.f32(23), b.f32(0))), b.sub(m, 1));
    }

    private static Reg logEdges(KernelBuilder b, Reg x, Reg y) {
        Reg infinity = b.f32(Float.POSITIVE_INFINITY);
        Reg out = b.select(b.lt(x, infinity), y, x);
        out = b.select(b.eq(x, b.f32(0)), b.neg(infinity), out);
        return b.select(b.lt(x, b.f32(0)), b.f32(Float.NaN), out);
    }

    /** x = n * pi / 2 + r. */
    private record Quadrant(Reg n, Reg r) {}

    private static Quadrant quadrant(KernelBuilder b, Reg x) {
        Reg n = b.roundEven(b.mul(x, TWO_OVER_PI));
        Reg r = x;
        for (float part : HALF_PI) {
            r = b.fma(n, b.f32(-part), r);
        }
        return new Quadrant(b.toI32(n), r);
    }

    /** sin(r + n * pi / 2). */
    private static Reg quarter(KernelBuilder b, Reg r, Reg n) {
        Reg square = b.mul(r, r);
        Reg sine = b.fma(b.mul(r, square), polynomial(b, square, SIN), r);
        Reg cosine = b.fma(b.mul(square, square), polynomial(b, square, COS), b.fma(square, b.f32(-0.5f), b.f32(1)));
        Reg out = b.select(b.eq(b.and(n, 1), 0), sine, cosine);
        return b.select(b.eq(b.and(n, 2), 0), out, b.neg(out));
    }

    /** 2^n, n I32 from -126 to 127. */
    private static Reg powerOfTwo(KernelBuilder b, Reg n) {
        return b.fromBits(b.toU32(b.shl(b.add(n, 127), 23)));
    }

    private static Reg withSign(KernelBuilder b, Reg magnitude, Reg sign) {
        return b.fromBits(b.or(b.bits(magnitude), b.and(b.bits(sign), 0x80000000)));
    }

    /** sum of c[i] * x^i. */
    private static Reg polynomial(KernelBuilder b, Reg x, float[] c) {
        Reg out = b.f32(c[c.length - 1]);
        for (int i = c.length - 2; i >= 0; i--) {
            out = b.fma(out, x, b.f32(c[i]));
        }
        return out;
    }
}
