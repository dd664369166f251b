package poot.core.kernel.ir;

import java.util.List;
import java.util.Set;
import java.util.Objects;
import java.util.TreeSet;
import java.util.Collections;

/**
 * A kernel in the language that every device speaks. Two kernels that are equal are one kernel to a device.
 *
 * @param name what it is called in messages and traces: letters, digits and underscores
 * @param params what it is launched with, in order
 * @param workgroup threads of a workgroup, all along x: a multiple of {@code subgroup}
 * @param subgroup threads of a subgroup, always full: a power of two
 * @param needs what the device must have; {@link Capability#INTEGER_DOT} and {@link Capability#ASYNC_COPY} never among it
 */
public record DeviceKernel(String name, List<Param> params, List<SharedArray> shared, int workgroup, int subgroup,
        Set<Capability> needs, Block body) {
    public DeviceKernel {
        Objects.requireNonNull(name, "name");
        params = List.copyOf(params);
        shared = List.copyOf(shared);
        needs = Collections.unmodifiableSet(new TreeSet<>(needs));
        Objects.requireNonNull(body, "body");
    }

    /** Bytes of all shared arrays. */
    public int sharedBytes() {
        return shared.stream().mapToInt(SharedArray::bytes).sum();
    }

    /** The kernel as text. */
    @Override
    public String toString() {
        return KernelPrinter.print(this);
    }
}
