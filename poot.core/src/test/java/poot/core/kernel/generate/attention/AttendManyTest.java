package poot.core.kernel.generate.attention;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static poot.core.kernel.generate.attention.AttendFewTest.near;
import static poot.core.kernel.generate.attention.AttendFewTest.plain;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.generate.KernelRun;
import poot.core.kernel.generate.attention.AttentionSpec.Cached;
import poot.core.kernel.generate.attention.AttentionSpec.Whole;

class AttendManyTest {
    private static float[] agrees(int subgroup, int part, AttentionCase c) throws Exception {
        try (KernelRun run = new KernelRun(subgroup)) {
            AttendMany many = new AttendMany(c.spec, part);
            float[] out = c.run(run, many, part, parts -> many.grid(run.limits(), c.rows, c.tokens, parts));
            near(c.expected(), out);
            return out;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void promptsOfEveryLength(int subgroup) throws Exception {
        for (int tokens : new int[] {1, 15, 70}) {
            agrees(subgroup, 0, new AttentionCase(plain(4, 2, 16, 16, CacheForm.F16, 16, 0), tokens, 1, 1, 0, tokens, tokens - 3, tokens + 40));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void formsAndWidths(int subgroup) throws Exception {
        for (CacheForm form : CacheForm.values()) {
            agrees(subgroup, 0, new AttentionCase(plain(6, 2, 64, 32, form, 8, 0), 5, 0, 2, 40, 7));
        }
        for (int[] w : new int[][] {{8, 8}, {5, 3}, {80, 80}, {40, 130}, {256, 256}}) {
            agrees(subgroup, 0, new AttentionCase(plain(3, 1, w[0], w[1], CacheForm.F32, 4, 0), 6, 0, 3, 21));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void whatChangesScoresInWindowsAndParts(int subgroup) throws Exception {
        for (int i = 1; i < 8; i++) {
            int window = new int[] {0, 7, 300}[i % 3];
            AttentionSpec spec = new AttentionSpec(4, 2, 8, 8, CacheForm.F32, new Cached(16, window), 0.4f, (i & 1) > 0 ? 3 : 0, (i & 2) > 0, (i & 4) > 0);
            agrees(subgroup, 256, new AttentionCase(spec, 9, 1, 4, 0, i % 2 == 0 ? 330 : 256));
            agrees(subgroup, 0, new AttentionCase(spec, 9, 1, 4, 0, i % 2 == 0 ? 330 : 256));
        }
    }

    @Test
    void aTokensNumbersAreItsOwn() throws Exception {
        AttentionSpec spec = plain(4, 2, 16, 16, CacheForm.F32, 16, 100);
        int[] all = new int[40];
        Arrays.setAll(all, i -> 130 + i);
        float[] together = agrees(8, 0, new AttentionCase(spec, 40, 0, 6, new int[][] {all}));
        AttentionCase whole = new AttentionCase(spec, 40, 0, 6, new int[][] {all});
        // The same cache seen by the last seven tokens alone.
        int kept = 7;
        int each = spec.heads() * 16;
        try (KernelRun run = new KernelRun(8)) {
            DeviceBuffer result = run.empty("result", 4L * kept * each);
            List<Argument> arguments = new ArrayList<>(whole.operands(run));
            arguments.set(0, Argument.of(run.floats("query", Arrays.copyOfRange(whole.query, 33 * each, 40 * each))));
            arguments.set(4, Argument.of(run.ints("positions", Arrays.copyOfRange(all, 33, 40))));
            arguments.add(Argument.of(result));
            arguments.addAll(List.of(Argument.u32(kept), Argument.u32(whole.blocks), Argument.u32(whole.slots)));
            AttendMany many = new AttendMany(spec, 0);
            run.run(many, many.grid(run.limits(), 1, kept, 1), arguments);
            assertArrayEquals(Arrays.copyOfRange(together, 33 * each, 40 * each), run.floats(result));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void passesInBothDirections(int subgroup) throws Exception {
        AttentionSpec spec = new AttentionSpec(4, 2, 16, 24, CacheForm.F32, new Whole(), 0.3f, 0, false, false);
        int rows = 3;
        int tokens = 37;
        Random random = new Random(8);
        float[] q = AttentionCase.gaussian(random, rows * tokens * 4 * 16, 1);
        float[] k = AttentionCase.gaussian(random, rows * tokens * 2 * 16, 1);
        float[] v = AttentionCase.gaussian(random, rows * tokens * 2 * 24, 1);
        byte[] real = new byte[rows * tokens];
        int[] lengths = {37, 12, 0};
        for (int i = 0; i < real.length; i++) {
            real[i] = (byte) (i % tokens < lengths[i / tokens] ? 1 : 0);
        }
        try (KernelRun run = new KernelRun(subgroup)) {
            DeviceBuffer result = run.empty("result", 4L * rows * tokens * 4 * 24);
            List<Argument> arguments = List.of(Argument.of(run.floats("q", q)), Argument.of(run.floats("k", k)), Argument.of(run.floats("v", v)),
                    Argument.of(run.of("real", MemorySegment.ofArray(real))), Argument.of(result),
                    Argument.u32(tokens), Argument.u32(0), Argument.u32(rows * tokens));
            AttendMany many = new AttendMany(spec, 0);
            run.run(many, many.grid(run.limits(), rows, tokens, 1), arguments);
            near(whole(spec, tokens, lengths, q, k, v), run.floats(result));
            AttendFew few = new AttendFew(spec, 3, 0);
            run.run(few, few.grid(rows, tokens, 1), arguments);
            near(whole(spec, tokens, lengths, q, k, v), run.floats(result));
        }
    }

    private static double[] whole(AttentionSpec s, int tokens, int[] lengths, float[] q, float[] k, float[] v) {
        double[] out = new double[lengths.length * tokens * s.heads() * s.valueWidth()];
        for (int i = 0; i < lengths.length * tokens * s.heads(); i++) {
            int row = i / s.heads() / tokens;
            int group = i % s.heads() / s.each();
            double[] e = new double[lengths[row]];
            double total = 0;
            for (int j = 0; j < e.length; j++) {
                double sum = 0;
                for (int f = 0; f < s.width(); f++) {
                    sum += (double) q[i * s.width() + f] * k[((row * tokens + j) * s.groups() + group) * s.width() + f];
                }
                e[j] = Math.exp(sum * s.scale());
                total += e[j];
            }
            for (int j = 0; j < e.length; j++) {
                for (int f = 0; f < s.valueWidth(); f++) {
                    out[i * s.valueWidth() + f] += e[j] / total * v[((row * tokens + j) * s.groups() + group) * s.valueWidth() + f];
                }
            }
        }
        return out;
    }
}
