package poot.backend.cuda.interpret;

import java.util.List;

/** Comparisons, predicates, selection. A predicate is a bit of each lane. */
final class PredicateSteps {
    private PredicateSteps() {}

    private interface Order {
        boolean holds(int comparison);
    }

    static Step of(PtxSource.Line line) {
        return switch (line.op().getFirst()) {
            case "setp" -> compare(line);
            case "selp" -> select(line);
            default -> logic(line);
        };
    }

    private static Step logic(PtxSource.Line line) {
        List<String> on = line.operands();
        int to = Operands.number(line, on.getFirst(), "%p");
        int a = Operands.number(line, on.get(1), "%p");
        int b = on.size() < 3 ? a : Operands.number(line, on.get(2), "%p");
        return switch (line.op().getFirst()) {
            case "and" -> w -> w.keep(to, w.predicates[a] & w.predicates[b]);
            case "or" -> w -> w.keep(to, w.predicates[a] | w.predicates[b]);
            case "xor" -> w -> w.keep(to, w.predicates[a] ^ w.predicates[b]);
            case "not" -> w -> w.keep(to, ~w.predicates[a]);
            default -> throw line.fault("not known");
        };
    }

    private static Step compare(PtxSource.Line line) {
        List<String> on = line.operands();
        int to = Operands.number(line, on.getFirst(), "%p");
        String op = line.op().get(1);
        String type = line.op().get(2);
        if (type.equals("f32")) {
            return floats(line, to, op);
        }
        Operands.Words a = Operands.words(line, on.get(1));
        Operands.Words b = Operands.words(line, on.get(2));
        int flip = type.equals("u32") ? Integer.MIN_VALUE : 0;
        Order order = order(line, op);
        return w -> {
            int[] x = a.of(w);
            int[] y = b.of(w);
            int bits = 0;
            for (int l = 0; l < Warp.LANES; l++) {
                bits |= order.holds(Integer.compare(x[l] ^ flip, y[l] ^ flip)) ? 1 << l : 0;
            }
            w.keep(to, bits);
        };
    }

    private static Order order(PtxSource.Line line, String op) {
        return switch (op) {
            case "eq" -> c -> c == 0;
            case "ne", "neu" -> c -> c != 0;
            case "lt" -> c -> c < 0;
            case "le" -> c -> c <= 0;
            case "gt" -> c -> c > 0;
            case "ge" -> c -> c >= 0;
            default -> throw line.fault("not known");
        };
    }

    private static Step floats(PtxSource.Line line, int to, String op) {
        Operands.Floats a = Operands.floats(line, line.operands().get(1));
        Operands.Floats b = Operands.floats(line, line.operands().get(2));
        Order order = order(line, op);
        boolean unordered = op.equals("neu");
        return w -> {
            float[] x = a.of(w);
            float[] y = b.of(w);
            int bits = 0;
            for (int l = 0; l < Warp.LANES; l++) {
                boolean holds = x[l] != x[l] || y[l] != y[l] ? unordered : order.holds(x[l] < y[l] ? -1 : x[l] > y[l] ? 1 : 0);
                bits |= holds ? 1 << l : 0;
            }
            w.keep(to, bits);
        };
    }

    private static Step select(PtxSource.Line line) {
        List<String> on = line.operands();
        int p = Operands.number(line, on.get(3), "%p");
        switch (line.op().get(1)) {
            case "f32" -> {
                int to = Operands.number(line, on.getFirst(), "%f");
                Operands.Floats a = Operands.floats(line, on.get(1));
                Operands.Floats b = Operands.floats(line, on.get(2));
                return w -> {
                    float[] x = a.of(w);
                    float[] y = b.of(w);
                    for (int l = 0, m = w.predicates[p]; l < Warp.LANES; l++, m >>>= 1) {
                        w.real[l] = (m & 1) != 0 ? x[l] : y[l];
                    }
                    w.keep(w.floats[to], w.real);
                };
            }
            case "b64" -> {
                int to = Operands.number(line, on.getFirst(), "%rd");
                Operands.Longs a = Operands.longs(line, on.get(1));
                Operands.Longs b = Operands.longs(line, on.get(2));
                return w -> {
                    long[] x = a.of(w);
                    long[] y = b.of(w);
                    for (int l = 0, m = w.predicates[p]; l < Warp.LANES; l++, m >>>= 1) {
                        w.address[l] = (m & 1) != 0 ? x[l] : y[l];
                    }
                    w.keep(w.addresses[to], w.address);
                };
            }
            default -> {
                int to = Operands.number(line, on.getFirst(), "%r");
                Operands.Words a = Operands.words(line, on.get(1));
                Operands.Words b = Operands.words(line, on.get(2));
                return w -> {
                    int[] x = a.of(w);
                    int[] y = b.of(w);
                    for (int l = 0, m = w.predicates[p]; l < Warp.LANES; l++, m >>>= 1) {
                        w.word[l] = (m & 1) != 0 ? x[l] : y[l];
                    }
                    w.keep(w.words[to], w.word);
                };
            }
        }
    }
}
