package poot.backend.vulkan.device;

import java.lang.foreign.ValueLayout;
import java.util.List;
import poot.api.executor.ExecutorException;
import poot.core.kernel.device.Argument;
import poot.core.kernel.device.Grid;
import poot.core.kernel.device.HostBuffer;
import poot.core.kernel.device.Launch;
import poot.core.kernel.device.Recording;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/** Whether a device's fused multiply-add rounds once. Vulkan does not say, so the device is tried. */
final class FusedMultiply {
    /** a * a = 1 + 2^-11 + 2^-24, of which F32 loses the last; with -(1 + 2^-11) added, only that is left. */
    private static final float A = 1 + 0x1p-12f;
    private static final float MINUS = -(1 + 0x1p-11f);
    private static final float LEFT = 0x1p-24f;

    private FusedMultiply() {}

    static boolean roundsOnce(VulkanDevice device) throws ExecutorException {
        try (HostBuffer x = device.allocateHost("a number to try", 3L * Float.BYTES)) {
            x.memory().setAtIndex(ValueLayout.JAVA_FLOAT, 0, A);
            x.memory().setAtIndex(ValueLayout.JAVA_FLOAT, 1, MINUS);
            var launch = new Launch(device.compile(kernel(device.limits().subgroup())), List.of(Argument.of(x)), Grid.of(1), false);
            try (Recording recording = device.record(List.of(launch))) {
                recording.run();
            }
            return x.memory().getAtIndex(ValueLayout.JAVA_FLOAT, 2) == LEFT;
        }
    }

    /** {@code x[2] = x[0] * x[0] + x[1]}. */
    private static DeviceKernel kernel(int subgroup) {
        var b = new KernelBuilder("fused_multiply", subgroup, subgroup);
        Reg x = b.buffer("x", Access.READ_WRITE);
        b.when(b.eq(b.thread(), 0), () -> {
            Reg a = b.load(MemoryType.F32, x, b.u32(0));
            b.store(MemoryType.F32, x, b.u32(2), b.fma(a, a, b.load(MemoryType.F32, x, b.u32(1))));
        });
        return b.build();
    }
}
