package poot.golden;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.golden.Golden.Form;
import poot.golden.GoldenFamilies.Case;
import poot.step.ExecutorSession;
import poot.step.Vulkan;

/** Every golden checkpoint compiled for a Vulkan device and run by it, step by step without a driver. */
class GoldenVulkanTest {
    private static Executor executor;

    private static final GoldenRuns.Opener VULKAN = (m, base) -> new ExecutorSession(m.model(), m.weights(), base, executor);

    @BeforeAll
    static void open() throws ExecutorException {
        executor = Vulkan.shared();
    }

    @ParameterizedTest
    @MethodSource("poot.golden.GoldenFamilies#decoders")
    void decoder(Case c) throws Exception {
        require(c);
        GoldenRuns.decoder(c, VULKAN);
    }

    @ParameterizedTest
    @MethodSource("poot.golden.GoldenFamilies#encoders")
    void encoder(Case c) throws Exception {
        require(c);
        GoldenRuns.encoder(c, VULKAN);
    }

    /** The steps of both forms are nearly the same. */
    private static void require(Case c) {
        if (c.form() == Form.GGUF) {
            Vulkan.requireAll();
        }
    }
}
