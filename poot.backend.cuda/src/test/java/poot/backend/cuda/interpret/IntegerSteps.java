package poot.backend.cuda.interpret;

import java.util.List;
import java.util.function.IntBinaryOperator;

/** Arithmetic of words and addresses. Each loop runs over all lanes, so that it can be vectorised; lanes that do not run keep what they had. */
final class IntegerSteps {
    private IntegerSteps() {}

    private interface Binary {
        void run(int[] to, int[] a, int[] b);
    }

    private interface Ternary {
        void run(int[] to, int[] a, int[] b, int[] c);
    }

    static Step of(PtxSource.Line line) {
        List<String> op = line.op();
        List<String> on = line.operands();
        String name = String.join(".", op);
        if (op.getLast().equals("b64") || op.getLast().equals("s64") || name.equals("mad.wide.u32")) {
            return wide(line, name);
        }
        int to = Operands.number(line, on.getFirst(), "%r");
        Operands.Words a = Operands.words(line, on.get(1));
        if (on.size() == 2) {
            return binary(to, a, a, unary(line, name));
        }
        Operands.Words b = Operands.words(line, on.get(2));
        if (on.size() == 3) {
            return binary(to, a, b, binary(line, name));
        }
        Operands.Words c = Operands.words(line, on.get(3));
        Ternary t = switch (name) {
            case "mad.lo.u32", "mad.lo.s32" -> (d, x, y, z) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = x[l] * y[l] + z[l];
                }
            };
            case "dp4a.s32.s32" -> (d, x, y, z) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = z[l] + (byte) x[l] * (byte) y[l] + (byte) (x[l] >> 8) * (byte) (y[l] >> 8)
                            + (byte) (x[l] >> 16) * (byte) (y[l] >> 16) + (x[l] >> 24) * (y[l] >> 24);
                }
            };
            default -> throw line.fault("not known");
        };
        return w -> {
            boolean all = w.mask == Warp.ALL;
            t.run(all ? w.words[to] : w.word, a.of(w), b.of(w), c.of(w));
            if (!all) {
                w.keep(w.words[to], w.word);
            }
        };
    }

    private static Step binary(int to, Operands.Words a, Operands.Words b, Binary f) {
        return w -> {
            boolean all = w.mask == Warp.ALL;
            f.run(all ? w.words[to] : w.word, a.of(w), b.of(w));
            if (!all) {
                w.keep(w.words[to], w.word);
            }
        };
    }

    private static Binary unary(PtxSource.Line line, String name) {
        return switch (name) {
            case "neg.s32" -> (d, a, b) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = -a[l];
                }
            };
            case "abs.s32" -> (d, a, b) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = Math.abs(a[l]);
                }
            };
            case "not.b32" -> (d, a, b) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = ~a[l];
                }
            };
            default -> throw line.fault("not known");
        };
    }

    private static Binary binary(PtxSource.Line line, String name) {
        return switch (name) {
            case "add.s32", "add.u32" -> (d, a, b) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = a[l] + b[l];
                }
            };
            case "sub.s32", "sub.u32" -> (d, a, b) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = a[l] - b[l];
                }
            };
            case "mul.lo.s32", "mul.lo.u32" -> (d, a, b) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = a[l] * b[l];
                }
            };
            case "and.b32" -> (d, a, b) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = a[l] & b[l];
                }
            };
            case "or.b32" -> (d, a, b) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = a[l] | b[l];
                }
            };
            case "xor.b32" -> (d, a, b) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = a[l] ^ b[l];
                }
            };
            case "shl.b32" -> (d, a, b) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = b[l] >>> 5 != 0 ? 0 : a[l] << b[l];
                }
            };
            case "shr.u32" -> (d, a, b) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = b[l] >>> 5 != 0 ? 0 : a[l] >>> b[l];
                }
            };
            case "shr.s32" -> (d, a, b) -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    d[l] = a[l] >> (b[l] >>> 5 != 0 ? 31 : b[l]);
                }
            };
            default -> slow(line, name);
        };
    }

    private static Binary slow(PtxSource.Line line, String name) {
        IntBinaryOperator f = switch (name) {
            case "min.s32" -> Math::min;
            case "max.s32" -> Math::max;
            case "min.u32" -> (a, b) -> Integer.compareUnsigned(a, b) < 0 ? a : b;
            case "max.u32" -> (a, b) -> Integer.compareUnsigned(a, b) > 0 ? a : b;
            case "mul.hi.s32" -> (a, b) -> (int) ((long) a * b >> 32);
            case "mul.hi.u32" -> (a, b) -> (int) ((a & 0xffffffffL) * (b & 0xffffffffL) >>> 32);
            case "div.s32" -> (a, b) -> b == 0 ? -1 : a / b;
            case "div.u32" -> (a, b) -> b == 0 ? -1 : Integer.divideUnsigned(a, b);
            case "rem.s32" -> (a, b) -> b == 0 ? a : a % b;
            case "rem.u32" -> (a, b) -> b == 0 ? a : Integer.remainderUnsigned(a, b);
            default -> throw line.fault("not known");
        };
        return (d, a, b) -> {
            for (int l = 0; l < Warp.LANES; l++) {
                d[l] = f.applyAsInt(a[l], b[l]);
            }
        };
    }

    private static Step wide(PtxSource.Line line, String name) {
        List<String> on = line.operands();
        int to = Operands.number(line, on.getFirst(), "%rd");
        return switch (name) {
            case "add.s64" -> {
                Operands.Longs a = Operands.longs(line, on.get(1));
                Operands.Longs b = Operands.longs(line, on.get(2));
                yield w -> {
                    long[] x = a.of(w);
                    long[] y = b.of(w);
                    for (int l = 0; l < Warp.LANES; l++) {
                        w.address[l] = x[l] + y[l];
                    }
                    w.keep(w.addresses[to], w.address);
                };
            }
            case "mad.wide.u32" -> {
                Operands.Words a = Operands.words(line, on.get(1));
                Operands.Words b = Operands.words(line, on.get(2));
                Operands.Longs c = Operands.longs(line, on.get(3));
                yield w -> {
                    boolean all = w.mask == Warp.ALL;
                    long[] d = all ? w.addresses[to] : w.address;
                    int[] x = a.of(w);
                    int[] y = b.of(w);
                    long[] z = c.of(w);
                    for (int l = 0; l < Warp.LANES; l++) {
                        d[l] = (x[l] & 0xffffffffL) * (y[l] & 0xffffffffL) + z[l];
                    }
                    if (!all) {
                        w.keep(w.addresses[to], d);
                    }
                };
            }
            case "mad.lo.s64" -> {
                Operands.Longs a = Operands.longs(line, on.get(1));
                Operands.Longs b = Operands.longs(line, on.get(2));
                Operands.Longs c = Operands.longs(line, on.get(3));
                yield w -> {
                    long[] x = a.of(w);
                    long[] y = b.of(w);
                    long[] z = c.of(w);
                    for (int l = 0; l < Warp.LANES; l++) {
                        w.address[l] = x[l] * y[l] + z[l];
                    }
                    w.keep(w.addresses[to], w.address);
                };
            }
            default -> throw line.fault("not known");
        };
    }
}
