package poot.backend.cuda.interpret;

import java.util.Arrays;
import java.util.List;

/** What lanes do together: shuffles and reductions. All of them must be there. */
final class WarpSteps {
    private WarpSteps() {}

    static Step of(PtxSource.Line line) {
        return line.op().getFirst().equals("shfl") ? shuffle(line) : reduce(line);
    }

    static void requireAll(Warp w) {
        if (!w.isWhole()) {
            throw new PtxFault("only lanes " + Integer.toHexString(w.mask) + " of the warp are there");
        }
    }

    private static Step shuffle(PtxSource.Line line) {
        List<String> on = line.operands();
        if (!on.get(3).equals("31") || !on.get(4).equals("0xffffffff")) {
            throw line.fault("not known");
        }
        boolean xor = line.op().contains("bfly");
        Operands.Words which = Operands.words(line, on.get(2));
        if (on.getFirst().startsWith("%f")) {
            int to = Operands.number(line, on.getFirst(), "%f");
            Operands.Floats a = Operands.floats(line, on.get(1));
            return w -> {
                requireAll(w);
                float[] x = a.of(w);
                int[] n = which.of(w);
                for (int l = 0; l < Warp.LANES; l++) {
                    w.real[l] = x[xor ? l ^ n[l] & 31 : n[l] & 31];
                }
                System.arraycopy(w.real, 0, w.floats[to], 0, Warp.LANES);
            };
        }
        int to = Operands.number(line, on.getFirst(), "%r");
        Operands.Words a = Operands.words(line, on.get(1));
        return w -> {
            requireAll(w);
            int[] x = a.of(w);
            int[] n = which.of(w);
            for (int l = 0; l < Warp.LANES; l++) {
                w.word[l] = x[xor ? l ^ n[l] & 31 : n[l] & 31];
            }
            System.arraycopy(w.word, 0, w.words[to], 0, Warp.LANES);
        };
    }

    private static Step reduce(PtxSource.Line line) {
        int to = Operands.number(line, line.operands().getFirst(), "%r");
        Operands.Words a = Operands.words(line, line.operands().get(1));
        String op = line.op().get(2) + "." + line.op().get(3);
        return w -> {
            requireAll(w);
            int[] x = a.of(w);
            int sum = x[0];
            for (int l = 1; l < Warp.LANES; l++) {
                int y = x[l];
                sum = switch (op) {
                    case "add.u32", "add.s32" -> sum + y;
                    case "min.s32" -> Math.min(sum, y);
                    case "max.s32" -> Math.max(sum, y);
                    case "min.u32" -> Integer.compareUnsigned(sum, y) < 0 ? sum : y;
                    case "max.u32" -> Integer.compareUnsigned(sum, y) > 0 ? sum : y;
                    case "and.b32" -> sum & y;
                    case "or.b32" -> sum | y;
                    default -> throw line.fault("not known");
                };
            }
            Arrays.fill(w.words[to], sum);
        };
    }
}
