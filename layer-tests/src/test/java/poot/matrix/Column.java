package poot.matrix;

import java.util.Locale;
import java.util.Set;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.execute.DeviceExecutor;
import poot.core.kernel.ir.Capability;
import poot.step.Backend;

/** A backend that programs are compiled for. */
enum Column {
    /** The definitions of all operations. */
    ORACLE("the definitions of the operations") {
        @Override
        Executor open() throws ExecutorException {
            return Backend.ORACLE.open();
        }
    },
    /** The processor. */
    CPU("the processor") {
        @Override
        Executor open() throws ExecutorException {
            return Backend.CPU.open();
        }
    },
    /** A Vulkan device that has little. */
    VULKAN(new DeviceLimits("vulkan", "a small device", 8, 8, 8, 1024, 65_535, 65_535, 32 << 10, 4L << 30, 2L << 30, 8, true,
            Set.of())),
    /** The oldest CUDA device. */
    CUDA(new DeviceLimits("cuda", "a device of compute capability 7.5", 32, 32, 32, 1024, Integer.MAX_VALUE, 65_535, 48 << 10, 8L << 30,
            8L << 30, 40, false, Set.of(Capability.MATRIX_F16, Capability.MATRIX_I8, Capability.INTEGER_DOT)));

    private final String device;
    private final DeviceLimits limits;

    Column(String device) {
        this.device = device;
        this.limits = null;
    }

    Column(DeviceLimits limits) {
        this.limits = limits;
        this.device = "%s: subgroups of %d, %d threads and %d KiB of shared memory a workgroup, allocations up to %d GiB%s".formatted(
                limits.name(), limits.subgroup(), limits.maxWorkgroup(), limits.sharedBytes() >> 10, limits.maxAllocationBytes() >> 30,
                limits.capabilities().isEmpty() ? "" : ", " + String.join(", ",
                        limits.capabilities().stream().map(c -> c.name().toLowerCase(Locale.ROOT).replace('_', ' ')).sorted().toList()));
    }

    /** Opens it. */
    Executor open() throws ExecutorException {
        return new DeviceExecutor(new PaperDevice(limits));
    }

    /** What it is compiled for, in words. */
    String device() {
        return device;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
