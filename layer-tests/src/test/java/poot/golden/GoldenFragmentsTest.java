package poot.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorOptions;
import poot.api.model.KvLayout;
import poot.api.model.StepShape;
import poot.backend.cuda.CudaExecutorProvider;
import poot.backend.cuda.driver.TestDriver;
import poot.core.kernel.execute.DeviceExecutor;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;
import poot.core.kernel.ir.Capability;
import poot.core.kernel.plan.ProductPolicy;
import poot.families.Families;
import poot.step.Chunk;
import poot.step.ExecutorSession;
import poot.step.Session;

/**
 * Prompts together long enough for matrix fragments (three of 40 positions, padded), against the float64 references: weights of
 * F32, which are split, and of BF16, which are not. How far logits are off is written to {@code target/logits-*.md}.
 */
class GoldenFragmentsTest {
    private static final int CAPACITY = 64;
    private static final int BLOCK = 8;

    /** By F16, which every device with fragments has here. */
    @ParameterizedTest
    @CsvSource({"llama, HF, 75", "llama, HF, 90", "gemma2, HF, 75", "gemma2, HF, 90"})
    void cuda(String family, Golden.Form form, int capability) throws Exception {
        TestDriver driver = TestDriver.require();
        driver.capability(capability);
        try (Executor executor = new CudaExecutorProvider().open(ExecutorOptions.DEFAULT)) {
            report(family + " " + form + " sm_" + capability, family, form, executor);
        }
        boolean fragments = driver.texts().stream().anyMatch(t -> t.contains("fragment_product") && t.contains("f32.f16.f16.f32"));
        assertTrue(fragments, "products by fragments");
        assertEquals(0, driver.faults().size(), driver.faults()::toString);
    }

    /** By BF16, on a device that has no other; and as F32, as the setting has it. */
    @ParameterizedTest
    @CsvSource({"llama, HF, FRAGMENTS", "llama, HF, F32", "gemma2, HF, FRAGMENTS", "gemma2, HF, F32"})
    void interpreted(String family, Golden.Form form, ProductPolicy policy) throws Exception {
        try (Executor executor = new DeviceExecutor(InterpretedDevice.of(32, Fresh.UNDEFINED, Capability.MATRIX_BF16), policy)) {
            report(family + " " + form + " " + policy, family, form, executor);
        }
    }

    private static void report(String what, String family, Golden.Form form, Executor executor) throws Exception {
        Golden g = Golden.read(family);
        StepShape base = StepShape.step(1, 1, CAPACITY).withLayout(new KvLayout.Paged(3 * CAPACITY / BLOCK, BLOCK, 3));
        try (OpenModel m = OpenModel.open(g.checkpoint(form), Families.registry());
                Session s = new ExecutorSession(m.model(), m.weights(), base, executor)) {
            float[] logits = s.step(new Chunk(0, 0, g.prompts().get(0)), new Chunk(1, 0, g.prompts().get(1)), new Chunk(2, 0, g.prompts().get(2)))[2];
            float[] expected = g.expected(2, "exact").floats();
            GoldenRuns.near(expected, logits, what);
            float worst = 0;
            for (int i = 0; i < logits.length; i++) {
                worst = Math.max(worst, Math.abs(logits[i] - expected[i]));
            }
            Files.writeString(Path.of("target", "logits-" + what.replace(' ', '-') + ".md"), "| " + what + " | " + worst + " |\n");
        }
    }
}
