package poot.backend.vulkan.device;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import poot.core.kernel.ir.BinaryOp;
import poot.core.kernel.ir.Comparison;
import poot.core.kernel.ir.Conversion;
import poot.core.kernel.ir.Functions;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.RegisterType;
import poot.core.kernel.ir.ScalarType;
import poot.core.kernel.ir.UnaryOp;

/** Operations on registers, each with the values it is tried at and how near to the interpreter's its result must be. */
final class Operations {
    /** Numbers where rounding, conversion or a sign goes wrong first; none that may be flushed. */
    private static final float[] REALS = {0, -0f, 1, -1, 0.5f, -0.5f, 1.5f, 2.5f, -2.5f, 3.5f, 0.49999997f, 0.3f, -0.7f, 7, 1e-3f,
        -1e-3f, 3.1415927f, 100.25f, -100.75f, 65504, 65519.996f, 65520, 1e5f, 0x1p-14f, 0x1p-24f, 0x1.8p-25f, 0x1p-25f, 0x1.ffcp-15f,
        16777217, 2147483520f, 0x1p31f, -0x1p31f, -2147483904f, 0x1p32f, 4294967040f, 1e10f, -1e10f, 1e20f, 1e-20f, Float.MIN_NORMAL,
        Float.MAX_VALUE, -Float.MAX_VALUE, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN, 1.0000001f, 0.99999994f,
        0x1.002p0f, 0x1.006p0f, 0x1.01p0f, 0x1.03p0f, -126.5f, 127.9f, -150, 130, 10.1f, -20.3f};
    private static final int[] INTS = {0, 1, -1, 2, -2, 3, 7, -7, 8, 31, 32, 127, -128, 255, 256, 65535, 65536, 0x12345678, 0x87654321,
        0x7fffffff, 0x80000000, 0x80000001, 0x7f800000, 0xff7f017f, 0x7f80ff01, 0x00010203, 0xdeadbeef, 1000003, -1000003};

    private Operations() {}

    /** Whether a result is near enough to another; both are bits. */
    interface Within {
        boolean accepts(int expected, int found);

        Within EXACT = (e, f) -> e == f;

        /** F32 within {@code n} units in the last place; a subnormal may be zero, any NaN is one. */
        static Within ulps(double n) {
            return (e, f) -> {
                float a = Float.intBitsToFloat(e);
                float b = Float.intBitsToFloat(f);
                if (Float.isNaN(a) || Float.isInfinite(a)) {
                    return Float.isNaN(a) ? Float.isNaN(b) : a == b;
                }
                double apart = Math.abs((double) a - b);
                return apart <= n * Math.ulp(a) || Math.abs(a) < Float.MIN_NORMAL && b == 0;
            };
        }

        /** F32 within {@code absolute}, or {@code n} units in the last place. */
        static Within ulpsOr(double n, double absolute) {
            return (e, f) -> ulps(n).accepts(e, f) || Math.abs((double) Float.intBitsToFloat(e) - Float.intBitsToFloat(f)) <= absolute;
        }
    }

    /**
     * An operation.
     *
     * @param type of its operands
     * @param tuples for each operand the bits it is tried with
     */
    record Case(String name, RegisterType type, int operands, RegisterType result, int[][] tuples, Within within,
            BiFunction<KernelBuilder, List<Reg>, Reg> body) {}

    static List<Case> unary() {
        List<Case> out = new ArrayList<>();
        for (UnaryOp op : UnaryOp.values()) {
            for (ScalarType type : ScalarType.values()) {
                if (op.takes(type)) {
                    Within within = switch (op) {
                        case NEG, ABS, NOT -> type == ScalarType.F32 ? Within.ulps(0) : Within.EXACT;
                        case FLOOR, ROUND_EVEN -> Within.ulps(0);
                        case SQRT, RSQRT, RECIPROCAL -> Within.ulps(4);
                        case EXP2 -> Within.ulps(8);
                        case LOG2 -> Within.ulpsOr(4, 0x1p-21);
                    };
                    int[] values = op == UnaryOp.SQRT || op == UnaryOp.RSQRT || op == UnaryOp.LOG2 ? notNegative() : values(type);
                    out.add(new Case(op + "_" + type, type, 1, type, new int[][] {values}, within, (b, x) -> b.unary(op, x.getFirst())));
                }
            }
        }
        return out;
    }

    static List<Case> binary() {
        List<Case> out = new ArrayList<>();
        for (BinaryOp op : BinaryOp.values()) {
            for (ScalarType type : ScalarType.values()) {
                if (op.takes(type)) {
                    Within within = type != ScalarType.F32 ? Within.EXACT : op == BinaryOp.DIV ? Within.ulps(2.5) : Within.ulps(0);
                    int[][] tuples = pairs(values(type));
                    if (type != ScalarType.F32 && (op == BinaryOp.DIV || op == BinaryOp.REM)) {
                        tuples = filter(tuples, (a, b) -> b != 0 && !(a == Integer.MIN_VALUE && b == -1 && type == ScalarType.I32));
                    } else if (op == BinaryOp.SHL || op == BinaryOp.SHR) {
                        tuples = filter(tuples, (_, b) -> b >= 0 && b < 32);
                    } else if (type == ScalarType.F32 && op == BinaryOp.DIV) {
                        tuples = filter(tuples, (_, b) -> moderate(Float.intBitsToFloat(b)));
                    }
                    out.add(new Case(op + "_" + type, type, 2, type, tuples, within, (b, x) -> b.binary(op, x.get(0), x.get(1))));
                }
            }
        }
        return out;
    }

    static List<Case> comparisons() {
        List<Case> out = new ArrayList<>();
        for (Comparison op : Comparison.values()) {
            for (ScalarType type : List.of(ScalarType.BOOL, ScalarType.I32, ScalarType.U32, ScalarType.F32)) {
                if (type != ScalarType.BOOL || op == Comparison.EQ || op == Comparison.NE) {
                    out.add(new Case(op + "_" + type, type, 2, ScalarType.U32, pairs(values(type)), Within.EXACT,
                            (b, x) -> b.compare(op, x.get(0), x.get(1))));
                }
            }
        }
        return out;
    }

    static List<Case> conversions() {
        List<Case> out = new ArrayList<>();
        for (Conversion op : Conversion.values()) {
            int[] values = switch (op) {
                case F16_BITS_TO_F32, BF16_BITS_TO_F32 -> IntStream.range(0, 1 << 16).filter(i -> i % 7 == 0 || (i & 0x3fff) < 1200).map(i -> i | 0xabcd0000).toArray();
                case F32_TO_F16_BITS, F32_TO_BF16_BITS -> halves();
                default -> values(op.from());
            };
            Within within = switch (op) {
                case F32_TO_F16_BITS -> (e, f) -> e == f || isNanHalf(e) && isNanHalf(f);
                case F32_TO_BF16_BITS -> (e, f) -> e == f || Math.abs(Float.intBitsToFloat(e << 16)) < Float.MIN_NORMAL && (f & 0x7fff) == 0;
                default -> op.to() == ScalarType.F32 ? Within.ulps(0) : Within.EXACT;
            };
            out.add(new Case(op.name(), op.from(), 1, op.to(), new int[][] {values}, within, (b, x) -> b.convert(op, x.getFirst())));
        }
        return out;
    }

    static List<Case> others() {
        float[] few = Arrays.copyOf(REALS, 18);
        int[] reals = IntStream.range(0, few.length).map(i -> Float.floatToRawIntBits(few[i])).toArray();
        int[][] triples = triples(reals);
        return List.of(
                new Case("FMA", ScalarType.F32, 3, ScalarType.F32, triples, Within.ulps(0), (b, x) -> b.fma(x.get(0), x.get(1), x.get(2))),
                new Case("DOT4", ScalarType.U32, 3, ScalarType.I32, triples(INTS), Within.EXACT,
                        (b, x) -> b.dot4(x.get(0), x.get(1), b.toI32(x.get(2)))),
                new Case("SELECT", ScalarType.F32, 3, ScalarType.F32, triples, Within.ulps(0),
                        (b, x) -> b.select(b.lt(x.get(0), x.get(1)), x.get(1), x.get(2))),
                new Case("NOT_CONTRACTED", ScalarType.F32, 3, ScalarType.F32, triples, Within.ulps(0),
                        (b, x) -> b.sub(b.mul(x.get(0), x.get(1)), b.mul(x.get(1), x.get(2)))));
    }

    /** Functions built of the language, which devices agree on but for what their division may be off by. */
    static List<Case> functions() {
        int[] all = spread(-90, 90);
        int[] angles = spread(-100_000, 100_000);
        int[] positive = IntStream.concat(IntStream.of(spread(0, 3)), IntStream.of(spread(0, 1e30f))).toArray();
        int[] powers = IntStream.range(0, positive.length).map(i -> Float.floatToRawIntBits(i % 41 * 0.1f - 2)).toArray();
        return List.of(
                function("EXP", 0, Functions::exp, all), function("LOG", 0, Functions::log, positive),
                function("TANH", 4, Functions::tanh, all), function("SIGMOID", 3, Functions::sigmoid, all),
                function("SIN", 0, Functions::sin, angles), function("COS", 0, Functions::cos, angles),
                function("ERF", 0, Functions::erf, spread(-5, 5)),
                new Case("POW", ScalarType.F32, 2, ScalarType.F32, new int[][] {positive, powers}, Within.ulps(0),
                        (b, x) -> Functions.pow(b, x.get(0), x.get(1))));
    }

    private static Case function(String name, double ulps, BiFunction<KernelBuilder, Reg, Reg> body, int[] values) {
        return new Case(name, ScalarType.F32, 1, ScalarType.F32, new int[][] {values}, Within.ulps(ulps), (b, x) -> body.apply(b, x.getFirst()));
    }

    /** Many numbers between two, and the awkward ones among them. */
    private static int[] spread(float from, float to) {
        IntStream even = IntStream.range(0, 997).map(i -> Float.floatToRawIntBits(from + (to - from) * i / 996));
        return IntStream.concat(even, IntStream.of(values(ScalarType.F32)).filter(v -> {
            float f = Float.intBitsToFloat(v);
            return f >= from && f <= to;
        })).toArray();
    }

    private static boolean moderate(float divisor) {
        return Math.abs(divisor) >= Float.MIN_NORMAL && Math.abs(divisor) <= 0x1p126f;
    }

    private static boolean isNanHalf(int bits) {
        return (bits & 0x7fff) > 0x7c00;
    }

    private static int[] values(ScalarType type) {
        return switch (type) {
            case F32 -> IntStream.range(0, REALS.length).map(i -> Float.floatToRawIntBits(REALS[i])).toArray();
            case I32, U32 -> INTS;
            case BOOL, BUFFER -> new int[] {0, 1};
        };
    }

    private static int[] notNegative() {
        return IntStream.of(values(ScalarType.F32)).filter(i -> i >= 0).toArray();
    }

    /** F32 on, beside and between the numbers that 16 bits can hold. */
    private static int[] halves() {
        IntStream near = IntStream.range(0, 1 << 16).filter(h -> !isNanHalf(h) && (h % 23 == 0 || (h & 0x7fff) < 70)).flatMap(h -> {
            int bits = Float.floatToRawIntBits(Float.float16ToFloat((short) h));
            return IntStream.of(bits, bits + 1, bits - 1, bits + 0x1000, bits + 0xfff, bits + 0x1001);
        });
        return IntStream.concat(near, IntStream.of(values(ScalarType.F32))).filter(Operations::isNormal).toArray();
    }

    private static boolean isNormal(int bits) {
        return (bits & 0x7fffffff) == 0 || (bits & 0x7fffffff) >= 0x00800000;
    }

    private static int[][] pairs(int[] values) {
        int n = values.length;
        int[][] out = new int[2][n * n];
        for (int i = 0; i < n * n; i++) {
            out[0][i] = values[i / n];
            out[1][i] = values[i % n];
        }
        return out;
    }

    private static int[][] triples(int[] values) {
        int n = values.length;
        int[][] out = new int[3][n * n * n];
        for (int i = 0; i < n * n * n; i++) {
            out[0][i] = values[i / n / n];
            out[1][i] = values[i / n % n];
            out[2][i] = values[i % n];
        }
        return out;
    }

    private static int[][] filter(int[][] pairs, Pair keep) {
        int[] kept = IntStream.range(0, pairs[0].length).filter(i -> keep.test(pairs[0][i], pairs[1][i])).toArray();
        return new int[][] {IntStream.of(kept).map(i -> pairs[0][i]).toArray(), IntStream.of(kept).map(i -> pairs[1][i]).toArray()};
    }

    /** A condition on two numbers. */
    private interface Pair {
        boolean test(int a, int b);
    }
}
