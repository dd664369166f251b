package poot.core.kernel.generate;

import java.util.List;
import java.util.function.Consumer;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;

/**
 * A kernel whose work can be cut into rows, equal parts one behind the other, so that a workgroup can make a row by several
 * such kernels in turn. What it computes is the same bits whoever runs it.
 */
public interface Rowed extends Generator {
    /**
     * Parts it consists of; any divisor of their number may be the number of rows.
     *
     * @param count what its parameter that is a number holds; 0 where it has none
     */
    long items(int count);

    /** Threads that {@code items} of its parts keep busy, and no fewer than it needs. */
    long threads(long items, DeviceLimits limits);

    /**
     * Writes the code for some of its parts, for all threads of a workgroup of at least as many as it needs; in flow that
     * is uniform in the workgroup.
     *
     * @param params   its parameters' registers, in its order
     * @param first    U32, the first part
     * @param items    how many parts
     * @param prefix   begins the names of shared memory
     */
    void part(KernelBuilder b, List<Reg> params, Reg first, long items, String prefix);

    /** Runs {@code body} for {@code count} things from {@code first} (U32) on, spread over the threads of the workgroup. */
    static void spread(KernelBuilder b, Reg first, long count, Consumer<Reg> body) {
        b.loop(b.thread(), b.u32((int) count), b.workgroupSize(), i -> body.accept(b.add(first, i)));
    }
}
