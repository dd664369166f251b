package poot.parity;

import org.junit.jupiter.api.BeforeEach;
import poot.api.executor.ExecutorOptions;
import poot.backend.cuda.CudaExecutorProvider;
import poot.backend.cuda.driver.TestDriver;

/** Experts by the CUDA backend, over the test driver. */
class ExpertCudaTest extends ExpertSuite {
    ExpertCudaTest() {
        super(new Judge(() -> new CudaExecutorProvider().open(ExecutorOptions.DEFAULT)));
    }

    @BeforeEach
    void driver() {
        TestDriver.require();
    }
}
