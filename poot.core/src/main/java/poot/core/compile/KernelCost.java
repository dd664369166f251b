package poot.core.compile;

import java.util.List;
import poot.api.executor.Kernel;

/**
 * What one kernel costs by its program alone.
 *
 * @param kind       the shape of its computation
 * @param operations what it computes, in order: the names of its equations without weight reads and views
 * @param read       bytes read from outside the kernel: weights as stored, of tables and caches what is looked at
 * @param written    bytes of its outputs; of a cache the rows replaced
 * @param flops      multiplications and additions in products and attention, one for every other element computed
 */
public record KernelCost(Kernel.Kind kind, List<String> operations, long read, long written, long flops) {
    public KernelCost {
        operations = List.copyOf(operations);
    }
}
