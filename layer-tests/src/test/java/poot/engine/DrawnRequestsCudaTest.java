package poot.engine;

import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.backend.cuda.CudaExecutorProvider;
import poot.backend.cuda.driver.TestDriver;

/** Tokens drawn by kernels of CUDA, interpreted instruction by instruction over the test driver. */
class DrawnRequestsCudaTest extends DrawnRequestsSuite {
    DrawnRequestsCudaTest() {
        super(3, 4);
    }

    @Override
    Executor open() throws ExecutorException {
        TestDriver.require();
        return new CudaExecutorProvider().open(ExecutorOptions.DEFAULT);
    }
}
