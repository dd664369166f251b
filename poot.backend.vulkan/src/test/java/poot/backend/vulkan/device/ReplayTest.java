package poot.backend.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import poot.api.executor.ExecutorException;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.Grid;
import poot.core.kernel.device.HostBuffer;
import poot.core.kernel.device.Launch;
import poot.core.kernel.device.Recording;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.AtomicOp;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/** Recordings of many kernels that do next to nothing: that each runs once a replay, and what a replay costs. */
class ReplayTest {
    private static final int[] KERNELS = {1, 100, 500};
    private static final int ROUNDS = 10;

    @Test
    void everyKernelRunsOnceAReplay(TestReporter reporter) throws ExecutorException {
        try (VulkanDevice device = Opened.device(Opened.options(false, false), UnaryOperator.identity())) {
            var b = new KernelBuilder("count", device.limits().subgroup(), device.limits().subgroup());
            Reg counter = b.buffer("counter", Access.READ_WRITE);
            b.when(b.eq(b.thread(), 0), () -> b.atomic(AtomicOp.ADD, MemoryBuilder.at(MemoryType.U32, counter, b.u32(0)), b.u32(1)));
            var kernel = device.compile(b.build());
            HostBuffer count = device.allocateHost("count", 4);
            for (int kernels : KERNELS) {
                for (boolean after : new boolean[] {false, true}) {
                    List<Command> commands = new ArrayList<>();
                    for (int i = 0; i < kernels; i++) {
                        commands.add(new Launch(kernel, List.of(Argument.of(count)), Grid.of(1), after));
                    }
                    count.memory().set(ValueLayout.JAVA_INT, 0, 0);
                    try (Recording recording = device.record(commands)) {
                        long best = Long.MAX_VALUE;
                        long host = Long.MAX_VALUE;
                        for (int round = 0; round < ROUNDS; round++) {
                            long start = System.nanoTime();
                            long submission = device.submissions().submit(((VulkanRecording) recording).commands(), "a replay");
                            long submitted = System.nanoTime();
                            device.submissions().await(submission, "a replay");
                            best = Math.min(best, System.nanoTime() - start);
                            host = Math.min(host, submitted - start);
                        }
                        reporter.publishEntry("replay of " + kernels + " kernels" + (after ? " in order" : ""), String.format(Locale.ROOT,
                                "%.1f us, %.2f us a kernel; %.1f us of the host", best / 1e3, best / 1e3 / kernels, host / 1e3));
                    }
                    assertEquals(kernels * ROUNDS, count.memory().get(ValueLayout.JAVA_INT, 0));
                }
            }
        }
    }
}
