package poot.backend.vulkan.device;

import java.util.Random;
import org.junit.jupiter.api.Test;
import poot.api.executor.ExecutorException;
import poot.core.kernel.device.Grid;
import poot.core.kernel.ir.DeviceKernel;

/** Random kernels beside the interpreter: every bit is the same. */
class RandomKernelsTest {
    private static final int KERNELS = Integer.getInteger("poot.vulkan.random", 30);
    private static final int THREADS = 64;
    private static final int GROUPS = 2;

    @Test
    void areTheSame() throws ExecutorException {
        try (Twin twin = new Twin(Opened.device())) {
            for (int seed = 0; seed < KERNELS; seed++) {
                Random random = new Random(seed);
                DeviceKernel kernel = RandomKernel.of(random, THREADS, twin.subgroup(), 10 + seed % 30);
                twin.same(kernel, Grid.of(GROUPS), random.ints(GROUPS * THREADS).toArray(), new int[GROUPS * THREADS]);
            }
        }
    }
}
