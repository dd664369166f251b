package poot.assembly;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import poot.api.model.StepSpec;
import poot.backend.vulkan.spirv.SpirvEmitter;
import poot.backend.vulkan.spirv.SpirvTarget;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.ir.Capability;
import poot.core.kernel.ir.DeviceKernel;
import poot.serve.bench.BenchShape;
import poot.serve.bench.WeightMix;

/**
 * A Vulkan device with cooperative matrices, of which there is none here, is told to multiply prompts with them, in 32 KiB of
 * shared memory; the kernels are written as SPIR-V that multiplies so.
 */
class FragmentSpirvTest {
    private static final int MULTIPLY = 4459;
    private static final int FIRST = 5;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(names = {"MATRIX_F16", "MATRIX_BF16"})
    void promptsAreMultipliedByCooperativeMatrices(Capability matrices) throws Exception {
        DryDevice device = DryDevice.of(new DeviceLimits("vulkan", "with cooperative matrices", 32, 32, 32, 1024, 65_535, 65_535, 32 << 10,
                8L << 30, 8L << 30, 32, false, Set.of(matrices)));
        try (LargeModel m = LargeModel.write(directory, LargeModel.cut(BenchShape.named("1b")))) {
            for (WeightMix mix : List.of(WeightMix.BF16, WeightMix.Q4_K_M)) {
                for (StepSpec s : Telling.programs(m.model(), 512, 8, 2048)) {
                    Telling.tell(device, m.model(), m.weights(mix), s);
                }
            }
        }
        List<DeviceKernel> products = device.kernels().stream().filter(k -> k.needs().contains(matrices)).toList();
        assertFalse(products.isEmpty());
        for (DeviceKernel k : products) {
            assertTrue(multiplies(SpirvEmitter.emit(k, new SpirvTarget(true, true, true, false, 128)).words()), k.name());
        }
    }

    private static boolean multiplies(int[] words) {
        for (int at = FIRST; at < words.length; at += words[at] >>> 16) {
            if ((words[at] & 0xffff) == MULTIPLY) {
                return true;
            }
        }
        return false;
    }
}
