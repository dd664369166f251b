package poot.quant;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import poot.api.executor.ExecutorOptions;
import poot.backend.cuda.CudaExecutorProvider;
import poot.backend.cuda.driver.TestDriver;

/** Every packed format through the CUDA backend's products, over the test driver; more rows with {@code -Dpoot.cuda.tests=all}. */
class PackedProductCudaTest extends PackedProductSuite {
    private TestDriver driver;

    PackedProductCudaTest() {
        super(() -> new CudaExecutorProvider().open(ExecutorOptions.DEFAULT),
                System.getProperty("poot.cuda.tests", "few").equals("all") ? new int[] {1, 9} : new int[] {1});
    }

    @BeforeEach
    void driver() {
        driver = TestDriver.require();
    }

    @AfterEach
    void nothingIsLeft() {
        assertEquals(0, driver.faults().size(), driver.faults()::toString);
        assertEquals(0, driver.alive(), "handles of the driver that nobody gave back");
    }
}
