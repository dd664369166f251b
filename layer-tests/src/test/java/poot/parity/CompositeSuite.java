package poot.parity;

import static poot.api.graph.ElementType.F32;
import static poot.api.graph.ElementType.I32;
import static poot.parity.CpuJudge.floats;
import static poot.parity.CpuJudge.ints;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import poot.api.graph.Builder;
import poot.api.graph.Composite.Activation;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.api.model.KvForm;
import poot.api.model.ProgramName;
import poot.api.model.StepShape;
import poot.api.model.StepSpec;
import poot.core.quant.Packer;
import poot.core.quant.QuantFormats;
import poot.families.components.AttentionParams;
import poot.families.components.AttentionScores;
import poot.families.components.KeyValues;
import poot.families.components.Nonlinearity;
import poot.families.components.Norm;
import poot.families.components.RopeFrequencies;
import poot.families.components.Rotary;
import poot.families.components.Site;
import poot.oracle.Tensor;

/** Every composite a backend claims is its body. */
abstract class CompositeSuite {
    private final Judge judge;
    private final boolean large;

    /** @param large whether the backend is quick enough for many positions */
    CompositeSuite(Judge judge, boolean large) {
        this.judge = judge;
        this.large = large;
    }

    private static final int[] SIZES = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 127, 1025};
    /** Queries times positions where a backend is slow. */
    private static final int FEW = 1300;

    private final Random random = new Random(2);

    private Weight weight(int... dims) {
        Shape shape = Shape.of(dims);
        int n = (int) shape.count();
        byte[] bytes = new byte[2 * n];
        Packer.BF16.pack(floats(random, n).floats(), 0, n, bytes, 0);
        return Weight.whole("weight", QuantFormats.of(Packer.BF16.encoding()), shape, List.of(MemorySegment.ofArray(bytes)));
    }

    @Test
    void norms() throws Exception {
        for (int n : SIZES) {
            for (Norm norm : List.of(Norm.rms(1e-5f), Norm.rms(1e-6f).withOffset(1), Norm.layer(1e-5f, false), Norm.layer(1e-5f, true))) {
                Builder b = Builder.with(TraceLimits.DEFAULT);
                Site at = Site.top(b, StepSpec.of(ProgramName.STEP, StepShape.step(1, 1, 8))).in("norm");
                b.output("y", norm.apply(at, b.slot("x", TensorType.of(F32, 2, 3, n))));
                Map<Role, Weight> weights = Map.of(Role.of("norm"), weight(n), Role.of("norm").in("bias"), weight(n));
                judge.graph(norm + " of " + n, b.finish(), weights, Map.of("x", floats(random, 2, 3, n)), 2e-5f);
            }
        }
    }

    /** A norm before a product whose rows are those of the norm, and one whose rows are several of them. */
    @Test
    void normsBeforeProducts() throws Exception {
        for (int heads : new int[] {1, 4}) {
            int n = heads * 32;
            Builder b = Builder.with(TraceLimits.DEFAULT);
            Site at = Site.top(b, StepSpec.of(ProgramName.STEP, StepShape.step(2, 1, 8))).in("norm");
            Value x = b.slot("x", TensorType.of(F32, 2, 1, heads, 32));
            Value flat = b.reshape(Norm.rms(1e-5f).apply(at, x), 2, 1, n);
            Value y = b.matMulTransposed(flat, b.weight(Role.of("out"), n, n));
            b.output("y", b.add(y, b.reshape(x, 2, 1, n)));
            judge.graph(heads + " heads", b.finish(), Map.of(Role.of("norm"), weight(32), Role.of("out"), weight(n, n)),
                    Map.of("x", floats(random, 2, 1, heads, 32)), 1e-4f);
        }
    }

    @Test
    void activations() throws Exception {
        float[] x = new float[1500];
        for (int i = 0; i < x.length; i++) {
            x[i] = (i - 750) / 40f;
        }
        Tensor gate = Tensor.f32(Shape.of(3, 500), x);
        for (Activation a : Activation.values()) {
            judge.check(a.toString(), 2e-6f, (b, in) -> List.of(
                    Nonlinearity.activate(b, a, in.get(0)), Nonlinearity.gate(b, a, in.get(0), in.get(1))), gate, floats(random, 3, 500));
        }
    }

    @Test
    void rotation() throws Exception {
        for (int half : new int[] {1, 2, 7, 8, 16, 17, 32, 33}) {
            for (boolean interleaved : new boolean[] {false, true}) {
                for (int passed : new int[] {0, 5}) {
                    Builder b = Builder.with(TraceLimits.DEFAULT);
                    Site at = Site.top(b, StepSpec.of(ProgramName.STEP, StepShape.step(2, 3, 64)));
                    int depth = 2 * half + passed;
                    Rotary rotary = Rotary.of(2 * half, interleaved, RopeFrequencies.plain(2 * half, 10000));
                    b.output("y", rotary.apply(at, b.slot("x", TensorType.of(F32, 2, 3, 5, depth))));
                    Map<String, Tensor> in = Map.of("x", floats(random, 2, 3, 5, depth), "positions", ints(random, -1, 4000, 2, 3));
                    judge.graph(rotary.toString(), b.finish(), Map.of(), in, 2e-6f);
                }
            }
        }
    }

    /** A shape of attention: rows, tokens, heads, groups, features, blocks of a row, positions of a block. */
    private record Layout(int rows, int tokens, int heads, int groups, int depth, int blocks, int block) {
        /** Queries times positions. */
        int work() {
            return rows * tokens * heads * blocks * block;
        }
    }

    /** The last layouts have fewer tasks than workers and long rows: their positions are split and joined. */
    @Test
    void attention() throws Exception {
        List<Layout> layouts = List.of(new Layout(1, 1, 4, 4, 16, 1, 300), new Layout(1, 1, 2, 1, 17, 9, 16),
                new Layout(2, 5, 6, 2, 8, 3, 7), new Layout(3, 1, 8, 2, 33, 2, 65), new Layout(1, 40, 4, 1, 24, 5, 16),
                new Layout(2, 67, 3, 3, 7, 1, 130), new Layout(1, 9, 64, 1, 4, 2, 8),
                new Layout(1, 1, 2, 1, 17, 40, 16), new Layout(1, 3, 4, 2, 16, 1, 700), new Layout(1, 2, 2, 1, 40, 5, 100));
        List<Layout> coded = List.of(new Layout(1, 1, 4, 2, 32, 1, 300), new Layout(2, 5, 6, 2, 64, 3, 7), new Layout(1, 1, 2, 1, 96, 40, 16),
                new Layout(2, 67, 3, 3, 32, 1, 130));
        AttentionParams.Scores[] scores = {
            new AttentionParams.Scores(0.3f, 0, 0), new AttentionParams.Scores(0.5f, 5, 0), new AttentionParams.Scores(0.2f, 0, 3),
            new AttentionParams.Scores(0.2f, 30, 70)};
        for (Layout l : layouts) {
            if (!large && l.work() > FEW) {
                continue;
            }
            int variant = 0;
            for (AttentionParams.Scores s : scores) {
                for (KvForm kv : List.of(KvForm.F32, KvForm.F16, KvForm.BF16)) {
                    attention(l, s, kv, variant % 2 == 0, variant % 3 == 0);
                    variant++;
                }
            }
        }
        for (int i = 0; i < (large ? coded.size() : 2); i++) {
            attention(coded.get(i), scores[i], KvForm.Q8_0, i % 2 == 0, i % 3 == 0);
        }
    }

    private void attention(Layout l, AttentionParams.Scores s, KvForm kv, boolean alibi, boolean sinks) throws Exception {
        Builder b = Builder.with(TraceLimits.DEFAULT);
        int slots = (l.rows() * l.blocks() + 1) * l.block();
        Value q = b.slot("q", TensorType.of(F32, l.rows(), l.tokens(), l.heads(), l.depth()));
        KeyValues.Pool k = KeyValues.Pool.of(b, b.slot("k", TensorType.of(F32, slots, l.groups(), l.depth())), kv);
        KeyValues.Pool v = KeyValues.Pool.of(b, b.slot("v", TensorType.of(F32, slots, l.groups(), l.depth())), kv);
        Value table = b.slot("table", TensorType.of(I32, l.rows(), l.blocks()));
        Value positions = b.slot("positions", TensorType.of(I32, l.rows(), l.tokens()));
        Optional<Value> slopes = alibi ? Optional.of(b.slot("slopes", TensorType.of(F32, l.heads()))) : Optional.empty();
        Optional<Value> sink = sinks ? Optional.of(b.slot("sinks", TensorType.of(F32, l.heads()))) : Optional.empty();
        b.output("y", AttentionScores.attend(b, q, new KeyValues(k, v, table, l.block()), positions, s, slopes, sink));
        Map<String, Tensor> in = new HashMap<>();
        in.put("q", floats(random, l.rows(), l.tokens(), l.heads(), l.depth()));
        in.put("k", floats(random, slots, l.groups(), l.depth()));
        in.put("v", floats(random, slots, l.groups(), l.depth()));
        in.put("slopes", floats(random, l.heads()));
        in.put("sinks", floats(random, l.heads()));
        in.put("table", table(l));
        in.put("positions", positions(l));
        judge.graph(l + " " + s + " " + kv + " alibi " + alibi + " sinks " + sinks, b.finish(), Map.of(), in, 2e-5f);
    }

    /** Blocks in any order; the last block of the last row is missing where there is more than one. */
    private Tensor table(Layout l) {
        List<Integer> blocks = new ArrayList<>();
        for (int i = 0; i < l.rows() * l.blocks(); i++) {
            blocks.add(i);
        }
        Collections.shuffle(blocks, random);
        int[] entries = blocks.stream().mapToInt(i -> i).toArray();
        if (l.blocks() > 1) {
            entries[entries.length - 1] = -1;
        }
        return Tensor.i32(Shape.of(l.rows(), l.blocks()), entries);
    }

    /** Consecutive positions up to the last cached one; the last token of the last row is padding where there are several. */
    private static Tensor positions(Layout l) {
        int[] out = new int[l.rows() * l.tokens()];
        int last = l.blocks() * l.block();
        for (int r = 0; r < l.rows(); r++) {
            for (int t = 0; t < l.tokens(); t++) {
                out[r * l.tokens() + t] = Math.max(0, last - l.tokens() - 3 * r) + t;
            }
        }
        if (l.tokens() > 1) {
            out[out.length - 1] = -1;
        }
        return Tensor.i32(Shape.of(l.rows(), l.tokens()), Arrays.copyOf(out, out.length));
    }
}
