package poot.backend.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import poot.api.executor.ExecutorException;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.Grid;
import poot.core.kernel.device.HostBuffer;
import poot.core.kernel.device.Launch;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/** A device from opening to closing. */
class VulkanDeviceTest {
    private VulkanDevice device;

    @BeforeEach
    void open() throws ExecutorException {
        device = Opened.device();
    }

    @AfterEach
    void close() {
        if (device != null) {
            Opened.close(device);
        }
    }

    @Test
    void runsAKernel() throws ExecutorException {
        int n = 1000;
        HostBuffer x = device.allocateHost("x", 4L * n);
        HostBuffer y = device.allocateHost("y", 4L * n);
        for (int i = 0; i < n; i++) {
            x.memory().setAtIndex(ValueLayout.JAVA_FLOAT, i, i);
            y.memory().setAtIndex(ValueLayout.JAVA_FLOAT, i, 1);
        }
        var kernel = device.compile(saxpy());
        try (var recording = device.record(List.of(new Launch(kernel, List.of(Argument.of(x), Argument.of(y), Argument.f32(2), Argument.u32(n)),
                Grid.of((n + 63) / 64), false)))) {
            recording.run();
            recording.run();
        }
        for (int i = 0; i < n; i++) {
            assertEquals(1 + 4f * i, y.memory().getAtIndex(ValueLayout.JAVA_FLOAT, i), "element " + i);
        }
    }

    /** {@code y[i] = a * x[i] + y[i]} of n elements. */
    static DeviceKernel saxpy() {
        var b = new KernelBuilder("saxpy", 64, 8);
        Reg x = b.buffer("x", Access.READ);
        Reg y = b.buffer("y", Access.READ_WRITE);
        Reg a = b.scalar("a", ScalarType.F32);
        Reg n = b.scalar("n", ScalarType.U32);
        Reg i = b.globalThread();
        b.when(b.lt(i, n), () -> {
            Reg xi = b.load(MemoryType.F32, x, i);
            Reg yi = b.load(MemoryType.F32, y, i);
            b.store(MemoryType.F32, y, i, b.fma(a, xi, yi));
        });
        return b.build();
    }
}
