package poot.backend.cuda.interpret;

import java.util.List;

/** Arithmetic of F32; what devices approximate is exact here, but for the last rounding. */
final class FloatSteps {
    private FloatSteps() {}

    private interface Binary {
        void run(float[] to, float[] a, float[] b);
    }

    private interface Unary {
        float of(float a);
    }

    static Step of(PtxSource.Line line) {
        List<String> on = line.operands();
        String name = String.join(".", line.op());
        int to = Operands.number(line, on.getFirst(), "%f");
        Operands.Floats a = Operands.floats(line, on.get(1));
        if (on.size() == 2) {
            Unary f = unary(line, name);
            return binary(to, a, a, (d, x, y) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = f.of(x[l]);
                }
            });
        }
        Operands.Floats b = Operands.floats(line, on.get(2));
        if (on.size() == 3) {
            return binary(to, a, b, binary(line, name));
        }
        if (!name.equals("fma.rn.f32")) {
            throw line.fault("not known");
        }
        Operands.Floats c = Operands.floats(line, on.get(3));
        return w -> {
            boolean all = w.mask == Warp.ALL;
            float[] d = all ? w.floats[to] : w.real;
            fma(d, a.of(w), b.of(w), c.of(w));
            if (!all) {
                w.keep(w.floats[to], d);
            }
        };
    }

    private static void fma(float[] d, float[] a, float[] b, float[] c) {
        for (int l = 0; l < Warp.LANES; l++) {
            d[l] = Math.fma(a[l], b[l], c[l]);
        }
    }

    private static Step binary(int to, Operands.Floats a, Operands.Floats b, Binary f) {
        return w -> {
            boolean all = w.mask == Warp.ALL;
            f.run(all ? w.floats[to] : w.real, a.of(w), b.of(w));
            if (!all) {
                w.keep(w.floats[to], w.real);
            }
        };
    }

    private static Unary unary(PtxSource.Line line, String name) {
        return switch (name) {
            case "neg.f32" -> a -> -a;
            case "abs.f32" -> Math::abs;
            case "sqrt.approx.f32" -> a -> (float) Math.sqrt(a);
            case "rsqrt.approx.f32" -> a -> (float) (1 / Math.sqrt(a));
            case "rcp.approx.f32" -> a -> 1 / a;
            case "ex2.approx.f32" -> a -> (float) Math.pow(2, a);
            case "lg2.approx.f32" -> FloatSteps::log2;
            default -> throw line.fault("not known");
        };
    }

    private static float log2(float a) {
        // Exact of powers of two, as devices are.
        int e = Math.getExponent(a);
        return e >= Float.MIN_EXPONENT && e <= Float.MAX_EXPONENT && a == Math.scalb(1f, e) ? e : (float) (Math.log(a) / Math.log(2));
    }

    private static Binary binary(PtxSource.Line line, String name) {
        return switch (name) {
            case "add.rn.f32" -> (d, a, b) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = a[l] + b[l];
                }
            };
            case "sub.rn.f32" -> (d, a, b) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = a[l] - b[l];
                }
            };
            case "mul.rn.f32" -> (d, a, b) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = a[l] * b[l];
                }
            };
            case "div.full.f32" -> (d, a, b) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = a[l] / b[l];
                }
            };
            case "min.f32" -> (d, a, b) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = a[l] != a[l] ? b[l] : b[l] != b[l] ? a[l] : Math.min(a[l], b[l]);
                }
            };
            case "max.f32" -> (d, a, b) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = a[l] != a[l] ? b[l] : b[l] != b[l] ? a[l] : Math.max(a[l], b[l]);
                }
            };
            default -> throw line.fault("not known");
        };
    }
}
