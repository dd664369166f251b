package poot.backend.cuda.interpret;

import java.util.List;

/** Moves and conversions. */
final class ConvertSteps {
    private ConvertSteps() {}

    static Step of(PtxSource.Line line) {
        String name = String.join(".", line.op());
        List<String> on = line.operands();
        String to = on.getFirst();
        String from = on.get(1);
        return switch (name) {
            case "mov.u32" -> from.startsWith("%") && !from.startsWith("%r") ? special(line, to, from)
                    : from.equals("shared") ? words(line, to, "0") : words(line, to, from);
            case "mov.b32" -> bits(line, to, from);
            case "mov.f32" -> floats(line, to, from);
            case "mov.b64", "cvta.to.global.u64" -> addresses(line, to, from);
            case "mov.pred" -> {
                int p = Operands.number(line, to, "%p");
                int q = Operands.number(line, from, "%p");
                yield w -> w.keep(p, w.predicates[q]);
            }
            case "cvt.u64.u32" -> {
                int d = Operands.number(line, to, "%rd");
                Operands.Words a = Operands.words(line, from);
                yield w -> {
                    int[] x = a.of(w);
                    for (int l = 0; l < Warp.LANES; l++) {
                        w.address[l] = x[l] & 0xffffffffL;
                    }
                    w.keep(w.addresses[d], w.address);
                };
            }
            case "cvt.u16.u32", "cvt.rn.f16.f32", "cvt.rn.bf16.f32" -> toHalf(line, name);
            case "cvt.u32.u16" -> {
                int d = Operands.number(line, to, "%r");
                int h = Operands.number(line, from, "%h");
                yield w -> w.keep(w.words[d], w.halves[h]);
            }
            default -> line.op().contains("f32") ? real(line, name) : unknown(line);
        };
    }

    private static Step unknown(PtxSource.Line line) {
        throw line.fault("not known");
    }

    private static Step special(PtxSource.Line line, String to, String from) {
        int d = Operands.number(line, to, "%r");
        return w -> {
            for (int l = 0; l < Warp.LANES; l++) {
                w.word[l] = switch (from) {
                    case "%tid.x" -> w.index * Warp.LANES + l;
                    case "%ctaid.x" -> w.group.x;
                    case "%ctaid.y" -> w.group.y;
                    case "%ctaid.z" -> w.group.z;
                    case "%nctaid.x" -> w.group.gridX;
                    case "%nctaid.y" -> w.group.gridY;
                    case "%nctaid.z" -> w.group.gridZ;
                    default -> throw line.fault("not known");
                };
            }
            w.keep(w.words[d], w.word);
        };
    }

    private static Step words(PtxSource.Line line, String to, String from) {
        int d = Operands.number(line, to, "%r");
        Operands.Words a = Operands.words(line, from);
        return w -> w.keep(w.words[d], a.of(w));
    }

    private static Step floats(PtxSource.Line line, String to, String from) {
        int d = Operands.number(line, to, "%f");
        Operands.Floats a = Operands.floats(line, from);
        return w -> w.keep(w.floats[d], a.of(w));
    }

    private static Step addresses(PtxSource.Line line, String to, String from) {
        int d = Operands.number(line, to, "%rd");
        Operands.Longs a = Operands.longs(line, from);
        return w -> w.keep(w.addresses[d], a.of(w));
    }

    /** The same bits: of words, of floats, between them, of two halves. */
    private static Step bits(PtxSource.Line line, String to, String from) {
        if (from.startsWith("{")) {
            List<String> pair = Operands.group(from);
            int d = Operands.number(line, to, "%r");
            int low = Operands.number(line, pair.getFirst(), "%h");
            int high = Operands.number(line, pair.getLast(), "%h");
            return w -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    w.word[l] = w.halves[low][l] & 0xffff | w.halves[high][l] << 16;
                }
                w.keep(w.words[d], w.word);
            };
        }
        boolean toFloat = to.startsWith("%f");
        boolean fromFloat = from.startsWith("%f") || from.startsWith("0f");
        if (toFloat && fromFloat) {
            return floats(line, to, from);
        }
        if (toFloat) {
            int d = Operands.number(line, to, "%f");
            Operands.Words a = Operands.words(line, from);
            return w -> {
                int[] x = a.of(w);
                for (int l = 0; l < Warp.LANES; l++) {
                    w.real[l] = Float.intBitsToFloat(x[l]);
                }
                w.keep(w.floats[d], w.real);
            };
        }
        if (!fromFloat) {
            return words(line, to, from);
        }
        int d = Operands.number(line, to, "%r");
        Operands.Floats a = Operands.floats(line, from);
        return w -> {
            float[] x = a.of(w);
            for (int l = 0; l < Warp.LANES; l++) {
                w.word[l] = Float.floatToRawIntBits(x[l]);
            }
            w.keep(w.words[d], w.word);
        };
    }

    private static Step toHalf(PtxSource.Line line, String name) {
        int d = Operands.number(line, line.operands().getFirst(), "%h");
        String from = line.operands().get(1);
        if (name.equals("cvt.u16.u32")) {
            Operands.Words a = Operands.words(line, from);
            return w -> {
                int[] x = a.of(w);
                for (int l = 0; l < Warp.LANES; l++) {
                    w.word[l] = x[l] & 0xffff;
                }
                w.keep(w.halves[d], w.word);
            };
        }
        boolean brain = name.contains("bf16");
        Operands.Floats a = Operands.floats(line, from);
        return w -> {
            float[] x = a.of(w);
            for (int l = 0; l < Warp.LANES; l++) {
                w.word[l] = brain ? brain(x[l]) : Float.floatToFloat16(x[l]) & 0xffff;
            }
            w.keep(w.halves[d], w.word);
        };
    }

    private static int brain(float x) {
        int bits = Float.floatToRawIntBits(x);
        return Float.isNaN(x) ? 0x7fff : bits + 0x7fff + (bits >>> 16 & 1) >>> 16;
    }

    /** To or from F32. */
    private static Step real(PtxSource.Line line, String name) {
        List<String> on = line.operands();
        if (on.getFirst().startsWith("%r")) {
            int d = Operands.number(line, on.getFirst(), "%r");
            Operands.Floats a = Operands.floats(line, on.get(1));
            boolean signed = switch (name) {
                case "cvt.rzi.s32.f32" -> true;
                case "cvt.rzi.u32.f32" -> false;
                default -> throw line.fault("not known");
            };
            return w -> {
                float[] x = a.of(w);
                for (int l = 0; l < Warp.LANES; l++) {
                    w.word[l] = signed ? (int) x[l] : (int) Math.clamp((long) x[l], 0L, 0xffffffffL);
                }
                w.keep(w.words[d], w.word);
            };
        }
        int d = Operands.number(line, on.getFirst(), "%f");
        if (name.equals("cvt.f32.f16")) {
            int h = Operands.number(line, on.get(1), "%h");
            return w -> {
                for (int l = 0; l < Warp.LANES; l++) {
                    w.real[l] = Float.float16ToFloat((short) w.halves[h][l]);
                }
                w.keep(w.floats[d], w.real);
            };
        }
        if (name.equals("cvt.rmi.f32.f32") || name.equals("cvt.rni.f32.f32")) {
            boolean down = name.startsWith("cvt.rmi");
            Operands.Floats a = Operands.floats(line, on.get(1));
            return w -> {
                float[] x = a.of(w);
                for (int l = 0; l < Warp.LANES; l++) {
                    w.real[l] = (float) (down ? Math.floor(x[l]) : Math.rint(x[l]));
                }
                w.keep(w.floats[d], w.real);
            };
        }
        boolean signed = switch (name) {
            case "cvt.rn.f32.s32" -> true;
            case "cvt.rn.f32.u32" -> false;
            default -> throw line.fault("not known");
        };
        Operands.Words a = Operands.words(line, on.get(1));
        return w -> {
            int[] x = a.of(w);
            for (int l = 0; l < Warp.LANES; l++) {
                w.real[l] = signed ? x[l] : (float) (x[l] & 0xffffffffL);
            }
            w.keep(w.floats[d], w.real);
        };
    }
}
