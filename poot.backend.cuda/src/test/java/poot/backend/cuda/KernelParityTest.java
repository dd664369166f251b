package poot.backend.cuda;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import poot.api.executor.ExecutorException;
import poot.backend.cuda.device.CudaDevice;
import poot.backend.cuda.device.CudaDevices;
import poot.backend.cuda.driver.TestDriver;
import poot.backend.cuda.kernels.FlowKernels;
import poot.backend.cuda.kernels.FragmentKernels;
import poot.backend.cuda.kernels.Instructions;
import poot.backend.cuda.kernels.KernelCase;
import poot.backend.cuda.kernels.MemoryKernels;
import poot.core.kernel.interpret.InterpretedDevice;
import poot.core.kernel.ir.MemoryType;

/** Every instruction at awkward values: PTX on the test driver against the kernels' own interpreter. */
class KernelParityTest {
    @TestFactory
    Stream<DynamicTest> everyInstruction() {
        return Stream.of(75, 80, 90).flatMap(capability -> {
            List<KernelCase> all = new ArrayList<>(Instructions.all());
            all.addAll(MemoryKernels.all());
            all.addAll(FlowKernels.all());
            all.addAll(FragmentKernels.all(MemoryType.F16));
            all.addAll(FragmentKernels.all(MemoryType.I8));
            if (capability >= 80) {
                all.addAll(FragmentKernels.all(MemoryType.BF16));
            }
            return all.stream().map(c -> DynamicTest.dynamicTest(c.kernel().name() + " for " + capability, () -> check(c, capability)));
        });
    }

    static void check(KernelCase c, int capability) throws ExecutorException {
        TestDriver driver = TestDriver.require();
        driver.capability(capability);
        List<MemorySegment> expected;
        try (InterpretedDevice device = KernelCase.interpreter()) {
            expected = c.run(device);
        }
        try (CudaDevice device = CudaDevices.open()) {
            c.compare(expected, c.run(device));
        } catch (ExecutorException e) {
            throw new AssertionError(c.kernel().name() + ": " + driver.faults() + "\n" + c.kernel(), e);
        }
    }
}
