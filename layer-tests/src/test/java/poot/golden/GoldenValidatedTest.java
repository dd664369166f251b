package poot.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.executor.Executor;
import poot.backend.vulkan.device.VulkanDevice;
import poot.core.kernel.execute.DeviceExecutor;
import poot.golden.GoldenFamilies.Case;
import poot.step.ExecutorSession;
import poot.step.Vulkan;

/** Golden checkpoints on a Vulkan device under the validation layer, which has nothing to say. */
class GoldenValidatedTest {
    static Stream<Case> cases() {
        return GoldenFamilies.decoders().filter(c -> c.family().name().equals("llama") && c.form() == Golden.Form.HF);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void silence(Case c) throws Exception {
        VulkanDevice device = Vulkan.validated();
        try (Executor executor = new DeviceExecutor(device)) {
            GoldenRuns.decoder(c, (m, base) -> new ExecutorSession(m.model(), m.weights(), base, executor));
            assertEquals(0, device.messageCount(), () -> String.join("\n", device.messages()));
        }
    }
}
