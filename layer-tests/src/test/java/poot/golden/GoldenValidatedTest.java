package poot.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.backend.vulkan.device.VulkanDevice;
import poot.core.kernel.execute.DeviceExecutor;
import poot.golden.GoldenFamilies.Case;
import poot.step.ExecutorSession;
import poot.step.Vulkan;

/**
 * Golden checkpoints on a Vulkan device under the validation layer, which has nothing to say: a few of them, and under
 * {@code ./check modes} every family's.
 */
class GoldenValidatedTest {
    /** One of each kind of attention, norm and rotation. */
    private static final Set<String> FEW = Set.of("llama HF", "gemma2 HF", "bert-mean HF");

    private static VulkanDevice device;
    private static Executor executor;

    @BeforeAll
    static void open() throws ExecutorException {
        device = Vulkan.validated();
        executor = new DeviceExecutor(device);
    }

    @AfterAll
    static void close() {
        if (executor != null) {
            executor.close();
        }
    }

    static Stream<Case> decoders() {
        return GoldenFamilies.decoders().filter(GoldenValidatedTest::isChosen);
    }

    static Stream<Case> encoders() {
        return GoldenFamilies.encoders().filter(GoldenValidatedTest::isChosen);
    }

    /** Of the two forms of a family the steps are nearly the same. */
    private static boolean isChosen(Case c) {
        return Vulkan.all() ? c.form() == Golden.Form.HF : FEW.contains(c.toString());
    }

    @ParameterizedTest
    @MethodSource("decoders")
    void aDecoderIsSilent(Case c) throws Exception {
        silent(c, GoldenRuns::decoder);
    }

    @ParameterizedTest
    @MethodSource("encoders")
    void anEncoderIsSilent(Case c) throws Exception {
        silent(c, GoldenRuns::encoder);
    }

    /** One way to run a checkpoint. */
    private interface Runs {
        void of(Case c, GoldenRuns.Opener opener) throws Exception;
    }

    private static void silent(Case c, Runs runs) throws Exception {
        runs.of(c, (m, base) -> new ExecutorSession(m.model(), m.weights(), base, executor));
        assertEquals(0, device.messageCount(), () -> String.join("\n", device.messages()));
    }
}
