package poot.parity;

import poot.api.executor.ExecutorOptions;
import poot.backend.cpu.CpuExecutorProvider;

/** Every fusion has the same bits on the CPU. */
class RandomFusionTest extends FusionSuite {
    RandomFusionTest() {
        super(workers -> new CpuExecutorProvider().open(new ExecutorOptions(workers)), 50, 1, 1, 2, 3, 8, 17, 70);
    }
}
