package poot.backend.cpu.kernel.weight;

import java.util.Optional;
import poot.api.executor.ExecutorException;
import poot.api.graph.Weight;
import poot.backend.cpu.x86.weight.Interleaving;

/** Copies of weights for kernels that read them in an order of their own. Each is made when it is first asked for. */
public interface Copies {
    /**
     * A weight of one part with its rows interleaved; empty where there is no copy, or not all rows of the part fall into
     * whole groups.
     *
     * @throws ExecutorException if memory does not suffice for a copy that was asked for
     */
    Optional<Weight> interleaved(Weight w, Interleaving order) throws ExecutorException;
}
