package poot.parity;

import org.junit.jupiter.api.BeforeEach;
import poot.api.executor.ExecutorOptions;
import poot.backend.cuda.CudaExecutorProvider;
import poot.backend.cuda.driver.TestDriver;

/** Every primitive by the CUDA backend, over the test driver, is what the oracle says. */
class PrimitiveCudaTest extends PrimitiveSuite {
    PrimitiveCudaTest() {
        super(new Judge(() -> new CudaExecutorProvider().open(ExecutorOptions.DEFAULT)), new int[] {1, 3, 8, 17, 33, 65}, false);
    }

    @BeforeEach
    void driver() {
        TestDriver.require();
    }
}
