package poot.backend.cuda.interpret;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/** {@code ldmatrix} and {@code mma.sync}, in the layouts of the PTX ISA. */
final class MatrixSteps {
    private static final VarHandle HALF = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    private MatrixSteps() {}

    static Step of(PtxSource.Line line) {
        return line.op().getFirst().equals("mma") ? multiply(line) : load(line);
    }

    private static Step load(PtxSource.Line line) {
        List<String> to = Operands.group(line.operands().getFirst());
        boolean across = line.op().contains("trans");
        String text = line.operands().get(1);
        String[] parts = text.substring(1, text.length() - 1).split("\\+");
        Operands.Words base = Operands.words(line, parts[0]);
        int plus = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
        int[] targets = to.stream().mapToInt(t -> Operands.number(line, t, "%r")).toArray();
        return w -> {
            WarpSteps.requireAll(w);
            int[] rows = base.of(w).clone();
            for (int i = 0; i < Warp.LANES; i++) {
                rows[i] += plus;
                if ((rows[i] & 15) != 0 || rows[i] < 0 || rows[i] > w.group.shared.length - 16) {
                    throw new PtxFault("lane " + i + ": a row at " + rows[i] + " of " + w.group.shared.length + " shared");
                }
            }
            for (int i = 0; i < targets.length; i++) {
                for (int l = 0; l < Warp.LANES; l++) {
                    int g = l >> 2;
                    int t = 2 * (l & 3);
                    int low = across ? half(w, rows[8 * i + t], g) : half(w, rows[8 * i + g], t);
                    int high = across ? half(w, rows[8 * i + t + 1], g) : half(w, rows[8 * i + g], t + 1);
                    w.words[targets[i]][l] = low | high << 16;
                }
            }
        };
    }

    private static int half(Warp w, int row, int column) {
        return (short) HALF.get(w.group.shared, row + 2 * column) & 0xffff;
    }

    /** One element of a lane's packed words. */
    private interface Element {
        double of(int word, int at);
    }

    private static Step multiply(PtxSource.Line line) {
        String shape = line.op().get(3);
        String type = line.op().get(7);
        if (!line.op().get(4).equals("row") || !line.op().get(5).equals("col")) {
            throw line.fault("not known");
        }
        return switch (shape + "." + type) {
            case "m16n8k16.f16" -> floats(line, 16, MatrixSteps::f16);
            case "m16n8k8.f16" -> floats(line, 8, MatrixSteps::f16);
            case "m16n8k16.bf16" -> floats(line, 16, MatrixSteps::bf16);
            case "m16n8k16.s8" -> integers(line, 16);
            case "m8n8k16.s8" -> integers(line, 8);
            default -> throw line.fault("not known");
        };
    }

    private static double f16(int word, int at) {
        return Float.float16ToFloat((short) (word >>> 16 * at));
    }

    private static double bf16(int word, int at) {
        return Float.intBitsToFloat(at == 0 ? word << 16 : word & 0xffff0000);
    }

    private static int[] registers(PtxSource.Line line, int operand, String prefix) {
        return Operands.group(line.operands().get(operand)).stream().mapToInt(t -> Operands.number(line, t, prefix)).toArray();
    }

    private static Step floats(PtxSource.Line line, int depth, Element element) {
        int[] d = registers(line, 0, "%f");
        int[] a = registers(line, 1, "%r");
        int[] b = registers(line, 2, "%r");
        int[] c = registers(line, 3, "%f");
        return w -> {
            WarpSteps.requireAll(w);
            float[][] out = new float[4][Warp.LANES];
            for (int l = 0; l < Warp.LANES; l++) {
                for (int e = 0; e < 4; e++) {
                    int m = (l >> 2) + 8 * (e >> 1);
                    int n = 2 * (l & 3) + (e & 1);
                    float sum = w.floats[c[e]][l];
                    for (int k = 0; k < depth; k++) {
                        int lane = k % 8 / 2;
                        double x = element.of(w.words[a[2 * (k / 8) + (m >> 3)]][4 * (m & 7) + lane], k & 1);
                        double y = element.of(w.words[b[k / 8]][4 * n + lane], k & 1);
                        sum += (float) (x * y);
                    }
                    out[e][l] = sum;
                }
            }
            for (int e = 0; e < 4; e++) {
                System.arraycopy(out[e], 0, w.floats[d[e]], 0, Warp.LANES);
            }
        };
    }

    private static Step integers(PtxSource.Line line, int rows) {
        int[] d = registers(line, 0, "%r");
        int[] a = registers(line, 1, "%r");
        int[] b = registers(line, 2, "%r");
        int[] c = registers(line, 3, "%r");
        int n = rows / 4;
        return w -> {
            WarpSteps.requireAll(w);
            int[][] out = new int[n][Warp.LANES];
            for (int l = 0; l < Warp.LANES; l++) {
                for (int e = 0; e < n; e++) {
                    int row = (l >> 2) + 8 * (e >> 1);
                    int column = 2 * (l & 3) + (e & 1);
                    int sum = w.words[c[e]][l];
                    for (int k = 0; k < 16; k++) {
                        int x = (byte) (w.words[a[row >> 3]][4 * (row & 7) + k / 4] >> 8 * (k & 3));
                        int y = (byte) (w.words[b[0]][4 * column + k / 4] >> 8 * (k & 3));
                        sum += x * y;
                    }
                    out[e][l] = sum;
                }
            }
            for (int e = 0; e < n; e++) {
                System.arraycopy(out[e], 0, w.words[d[e]], 0, Warp.LANES);
            }
        };
    }
}
