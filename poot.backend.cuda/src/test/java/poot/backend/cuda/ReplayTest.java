package poot.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import poot.api.executor.ExecutorException;
import poot.backend.cuda.device.CudaDevice;
import poot.backend.cuda.device.CudaDevices;
import poot.backend.cuda.driver.TestDriver;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.CompiledKernel;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.Grid;
import poot.core.kernel.device.Launch;
import poot.core.kernel.device.Recording;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/**
 * Recordings of many kernels that the test driver counts and does not run: that each is launched once a replay, and what a
 * replay costs the host. Of one kernel that is the backend, its calls and their return; of more, what the test driver takes to
 * walk through them is added, which is not NVIDIA's.
 */
class ReplayTest {
    private static final int[] KERNELS = {1, 100, 500};
    private static final int ROUNDS = 200;

    @Test
    void everyKernelIsLaunchedOnceAReplay(TestReporter reporter) throws ExecutorException {
        TestDriver driver = TestDriver.require();
        driver.set(TestDriver.Number.DRY, 1);
        try (CudaDevice device = CudaDevices.open(); DeviceBuffer to = device.allocate("to", 128)) {
            KernelBuilder b = new KernelBuilder("next_to_nothing", 32, 32);
            Reg at = b.buffer("to", Access.WRITE);
            b.store(MemoryType.U32, at, b.globalThread(), b.u32(0));
            CompiledKernel kernel = device.compile(b.build());
            for (int kernels : KERNELS) {
                List<Command> commands = new ArrayList<>();
                for (int i = 0; i < kernels; i++) {
                    commands.add(new Launch(kernel, List.of(Argument.of(to)), Grid.of(1), true));
                }
                long launches = driver.get(TestDriver.Number.LAUNCHES);
                long replays = driver.get(TestDriver.Number.REPLAYS);
                long best = Long.MAX_VALUE;
                try (Recording recording = device.record(commands)) {
                    for (int round = 0; round < ROUNDS; round++) {
                        long start = System.nanoTime();
                        recording.run();
                        best = Math.min(best, System.nanoTime() - start);
                    }
                }
                assertEquals(launches + (long) kernels * ROUNDS, driver.get(TestDriver.Number.LAUNCHES));
                assertEquals(replays + ROUNDS, driver.get(TestDriver.Number.REPLAYS));
                reporter.publishEntry("replay of " + kernels + " kernels", String.format(Locale.ROOT, "%.1f us", best / 1e3));
            }
        }
        assertEquals(0, driver.alive(), "handles of the driver that nobody gave back");
    }
}
