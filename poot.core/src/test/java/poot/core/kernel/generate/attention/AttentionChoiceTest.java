package poot.core.kernel.generate.attention;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static poot.core.kernel.generate.attention.AttendFewTest.near;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.core.kernel.generate.KernelRun;
import poot.core.kernel.generate.Stages;
import poot.core.kernel.generate.attention.AttentionSpec.Cached;

class AttentionChoiceTest {
    private static final AttentionSpec ALL = new AttentionSpec(6, 2, 32, 32, CacheForm.CODED, new Cached(64, 900), 0.2f, 20, true, true);

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void stepsOfEveryShape(int subgroup) throws Exception {
        try (KernelRun run = new KernelRun(subgroup)) {
            for (AttentionCase c : new AttentionCase[] {new AttentionCase(ALL, 1, 0, 1, 50, 1000, 0), new AttentionCase(ALL, 3, 0, 1, 200, 3),
                    new AttentionCase(ALL, 7, 0, 1, 1100), new AttentionCase(ALL, 7, 0, 1, 300, 8)}) {
                near(c.expected(), c.run(run));
            }
        }
    }

    @Test
    void aLongCacheIsReadInParts() throws Exception {
        try (KernelRun run = new KernelRun(32)) {
            Stages decode = AttentionChoice.cached(ALL, 1, 1, 2048, 1 << 20).stages(run.limits());
            assertInstanceOf(AttendFew.class, decode.stages().getFirst().generator());
            assertEquals(64, decode.stages().getFirst().grid().z());
            assertEquals(4L * 6 * 64 * 32, decode.scratch().getFirst());
            Stages prefill = AttentionChoice.cached(ALL, 4, 512, 2048, 1 << 20).stages(run.limits());
            assertInstanceOf(AttendMany.class, prefill.stages().getFirst().generator());
            assertTrue(prefill.scratch().isEmpty());
        }
    }

    /** A row's numbers are the same to the bit whoever else is in the step. */
    @Test
    void rowsAreAlone() throws Exception {
        AttentionCase three = new AttentionCase(ALL, 1, 0, 7, 400, 20, 333);
        try (KernelRun run = new KernelRun(8)) {
            float[] together = three.run(run);
            for (int row = 0; row < 3; row++) {
                int each = together.length / 3;
                float[] alone = three.row(row).run(run);
                assertArrayEquals(Arrays.copyOfRange(together, row * each, (row + 1) * each), alone);
            }
        }
    }
}
