package poot.parity;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.acceptance.Repository;
import poot.families.Families;
import poot.golden.OpenModel;
import poot.step.Vulkan;

/** On a Vulkan device what a row of a trained model gives does not depend on the rows beside it. */
class CompanyVulkanTest {
    @ParameterizedTest
    @ValueSource(strings = {"poot-tiny-q8_0.gguf", "poot-tiny-f16.gguf"})
    void promptsAndTokens(String file) throws Exception {
        Vulkan.requireAll();
        try (OpenModel m = OpenModel.open(Repository.demoModel().resolve(file), Families.registry())) {
            new Company(8, 8, 6).isNoMatter(file, m, Vulkan.shared());
            new Company(8, 8, 2, 8).isNoMatter(file, m, Vulkan.shared());
            new Company(33, 4, 4).isNoMatter(file, m, Vulkan.shared());
        }
    }
}
