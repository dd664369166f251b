package poot.parity;

import static poot.api.graph.ElementType.F32;
import static poot.api.graph.ElementType.I32;
import static poot.parity.CpuJudge.floats;

import java.lang.foreign.Arena;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import poot.api.graph.Builder;
import poot.api.graph.Encoding;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.oracle.Tensor;

/** Products with, rows of, and values from weights of every one-part encoding, read as stored, on any backend. */
abstract class WeightSuite {
    private final Judge judge;
    private final boolean large;

    /** @param large whether the backend is quick enough for wide weights and many rows */
    WeightSuite(Judge judge, boolean large) {
        this.judge = judge;
        this.large = large;
    }

    private static final Role W = Role.of("w");
    private static final Role V = Role.of("v");

    private final Random random = new Random(3);

    @ParameterizedTest
    @EnumSource(value = Encoding.class, mode = Mode.EXCLUDE, names = {"GPTQ_4", "AWQ_4", "FP8_CHANNEL", "FP8_BLOCK", "MXFP4_PAIRS"})
    void everyEncoding(Encoding e) throws Exception {
        int[] widths = e.isDense() ? new int[] {1, 7, 33, large ? 1040 : 40} : large ? new int[] {256, 1280} : new int[] {512};
        try (Arena arena = Arena.ofShared()) {
            for (int k : widths) {
                for (int n : large ? new int[] {1, 19} : new int[] {9}) {
                    Weight whole = RandomWeight.of(random, e, Shape.of(n + 3, k), arena);
                    products(whole, n, k);
                }
            }
            batches(RandomWeight.of(random, e, Shape.of(3, 5, 256), arena));
        }
    }

    /** A range of rows of a larger tensor, so that nothing begins at the first byte. */
    private void products(Weight whole, int n, int k) throws Exception {
        Weight w = whole.rows(2, 2 + n);
        for (int m : new int[] {1, 2, large ? 37 : 11}) {
            Builder b = Builder.with(TraceLimits.DEFAULT);
            Value x = b.slot("x", TensorType.of(F32, m, k));
            b.output("y", b.matMulTransposed(x, b.weight(W, n, k)));
            b.output("rows", b.gather(b.weight(W, n, k), b.slot("i", TensorType.of(I32, 2, 3))));
            b.output("sum", b.add(b.weight(W, n, k), 1f));
            Tensor in = floats(random, m, k);
            Tensor rows = CpuJudge.ints(random, -1, n + 1, 2, 3);
            judge(w + " times " + m, b, Map.of(W, w), Map.of("x", in, "i", rows), w, in);
        }
    }

    private void batches(Weight w) throws Exception {
        for (int m : new int[] {1, 2, 4}) {
            Builder b = Builder.with(TraceLimits.DEFAULT);
            Value x = b.slot("x", TensorType.of(F32, 2, 1, m, 256));
            b.output("y", b.matMulTransposed(x, b.weight(V, 3, 5, 256)));
            Tensor in = floats(random, 2, 1, m, 256);
            judge(w + " in batches", b, Map.of(V, w), Map.of("x", in), w, in);
        }
    }

    /**
     * The tolerance allows F32 rounding of terms that cancel: it grows with the largest weight and the width. With packed
     * weights it allows activations of 16 bits: each is off by up to 1/65534 of the largest of its group, some four here.
     */
    private void judge(String what, Builder b, Map<Role, Weight> weights, Map<String, Tensor> in, Weight w, Tensor x)
            throws Exception {
        float largest = 0;
        float[] row = new float[w.columns()];
        for (int r = 0; r < w.rowCount(); r++) {
            w.decode(r, 0, row.length, row, 0);
            for (float f : row) {
                largest = Math.max(largest, Math.abs(f));
            }
        }
        float unit = w.format().encoding().isDense() ? 2e-6f : 6e-5f;
        judge.graph(what, b.finish(), weights, in, (float) (unit * Math.max(1, largest) * Math.sqrt(w.columns())));
    }
}
