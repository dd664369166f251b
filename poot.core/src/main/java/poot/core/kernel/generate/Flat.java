package poot.core.kernel.generate;

import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;

/**
 * Threads or workgroups for a count of equal things, over two axes of the grid where one does not reach.
 *
 * @param count how many, 1 to 2^31
 */
public record Flat(long count) {
    /** Threads of a workgroup where there is enough to do. */
    public static final int WORKGROUP = 256;
    private static final int WIDEST = 65_535;

    public Flat {
        if (count < 1 || count > 1L << 31) {
            throw new IllegalArgumentException(count + " elements in one kernel: cut them into parts of 1 to 2^31");
        }
    }

    /** Begins a kernel with a thread for each. */
    public KernelBuilder threads(String name, DeviceLimits limits) {
        return new KernelBuilder(name, workgroup(limits), limits.subgroup());
    }

    /** Threads of a workgroup where each has a thread. */
    public int workgroup(DeviceLimits limits) {
        return workgroup(count, limits);
    }

    /** Threads of a workgroup that is to do {@code count} things: whole subgroups, at most {@link #WORKGROUP}. */
    public static int workgroup(long count, DeviceLimits limits) {
        int s = limits.subgroup();
        long most = Math.max(s, Math.min(WORKGROUP, limits.maxWorkgroup()) / s * s);
        return (int) Math.min(most, (count + s - 1) / s * s);
    }

    /** The grid where each has a thread. */
    public Grid threadGrid(DeviceLimits limits) {
        return fold((count + workgroup(limits) - 1) / workgroup(limits), limits);
    }

    /** The grid where each has a workgroup. */
    public Grid workgroupGrid(DeviceLimits limits) {
        return fold(count, limits);
    }

    private static Grid fold(long groups, DeviceLimits limits) {
        long x = Math.min(groups, Math.min(WIDEST, limits.maxGridX()));
        return Grid.of((int) x, (int) ((groups + x - 1) / x));
    }

    /** Which of them the thread is for; beyond {@link #count} for none. */
    public static Reg thread(KernelBuilder b) {
        return b.mad(workgroup(b), b.workgroupSize(), b.thread());
    }

    /** Which of them the workgroup is for; beyond {@link #count} for none. */
    public static Reg workgroup(KernelBuilder b) {
        return b.mad(b.workgroupY(), b.gridX(), b.workgroupX());
    }

    /** Whether {@code index} is one of them. */
    public Reg holds(KernelBuilder b, Reg index) {
        return b.lt(index, (int) count);
    }
}
