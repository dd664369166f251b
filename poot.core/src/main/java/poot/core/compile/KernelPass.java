package poot.core.compile;

import java.util.List;
import poot.api.executor.Kernel;
import poot.api.graph.Graph;

/** A regrouping of a graph's kernels. Every pass keeps the graph, and each equation in one kernel: bit-exact. */
public interface KernelPass {
    /** The pass's name, for messages. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** The kernels regrouped. */
    List<Kernel> apply(Graph graph, List<Kernel> kernels);
}
