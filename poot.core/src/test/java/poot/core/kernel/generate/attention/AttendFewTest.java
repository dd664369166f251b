package poot.core.kernel.generate.attention;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.core.kernel.generate.KernelRun;
import poot.core.kernel.generate.attention.AttentionSpec.Cached;

class AttendFewTest {
    static AttentionSpec plain(int heads, int groups, int width, int valueWidth, CacheForm form, int block, int window) {
        return new AttentionSpec(heads, groups, width, valueWidth, form, new Cached(block, window), (float) (1 / Math.sqrt(width)), 0, false, false);
    }

    static void near(double[] expected, float[] actual) {
        for (int i = 0; i < expected.length; i++) {
            int at = i;
            assertTrue(Math.abs(expected[i] - actual[i]) < 4e-6 * Math.max(1, Math.abs(expected[i])),
                    () -> "element " + at + ": " + actual[at] + " for " + expected[at]);
        }
    }

    private static void agrees(int subgroup, int pairs, int part, AttentionCase c) throws Exception {
        try (KernelRun run = new KernelRun(subgroup)) {
            AttendFew few = new AttendFew(c.spec, pairs, part);
            near(c.expected(), c.run(run, few, part, parts -> few.grid(c.rows, c.tokens, parts)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void cachesOfEveryLength(int subgroup) throws Exception {
        agrees(subgroup, 2, 0, new AttentionCase(plain(4, 2, 16, 16, CacheForm.F32, 16, 0), 1, 1, 1, 0, 1, 15, 16, 17, 33, 300));
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void formsOfTheCache(int subgroup) throws Exception {
        for (CacheForm form : CacheForm.values()) {
            agrees(subgroup, 3, 0, new AttentionCase(plain(6, 2, 64, 32, form, 8, 0), 1, 0, 2, 40, 7));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void headsOfEveryWidth(int subgroup) throws Exception {
        int[][] widths = {{8, 8}, {5, 3}, {12, 20}, {80, 80}, {96, 64}, {128, 128}, {256, 256}};
        for (int[] w : widths) {
            agrees(subgroup, 4, 0, new AttentionCase(plain(4, 1, w[0], w[1], w[0] % 4 == 0 ? CacheForm.F16 : CacheForm.F32, 4, 0), 1, 0, 3, 21));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void whatChangesScores(int subgroup) throws Exception {
        for (int i = 1; i < 8; i++) {
            AttentionSpec spec = new AttentionSpec(4, 2, 16, 16, CacheForm.F32, new Cached(8, 0), 0.4f, (i & 1) > 0 ? 3 : 0, (i & 2) > 0, (i & 4) > 0);
            agrees(subgroup, 2, 0, new AttentionCase(spec, 1, 0, 4, 0, 30));
            agrees(subgroup, 2, 256, new AttentionCase(spec, 1, 0, 4, 0, 300));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void windowsPaddingAndParts(int subgroup) throws Exception {
        for (int window : new int[] {0, 1, 7, 64, 300}) {
            AttentionSpec spec = plain(6, 2, 16, 16, CacheForm.F16, 32, window);
            agrees(subgroup, 4, 256, new AttentionCase(spec, 3, 1, 5, 600, 2, 0, 257));
            agrees(subgroup, 4, 0, new AttentionCase(spec, 3, 1, 5, 200, 2, 0, 33));
        }
    }

    @Test
    void aTokensNumbersAreItsOwn() throws Exception {
        AttentionSpec spec = plain(4, 2, 16, 16, CacheForm.F32, 16, 100);
        int[] all = new int[12];
        Arrays.setAll(all, i -> 290 + i);
        AttentionCase together = new AttentionCase(spec, 12, 0, 6, new int[][] {all});
        try (KernelRun run = new KernelRun(32)) {
            AttendFew few = new AttendFew(spec, 4, 256);
            float[] whole = together.run(run, few, 256, parts -> few.grid(1, 12, parts));
            AttendFew alone = new AttendFew(spec, 2, 256);
            float[] again = together.run(run, alone, 256, parts -> alone.grid(1, 12, parts));
            assertArrayEquals(whole, again);
        }
    }
}
