package poot.backend.cpu.kernel.weight;

import java.util.Optional;
import poot.api.executor.ExecutorException;
import poot.api.graph.Weight;
import poot.backend.cpu.x86.weight.Interleaving;

/** Where kernels that read a whole weight read it from. Each copy is made when it is first asked for. */
public interface Copies {
    /** Reads weights where they are. */
    Copies NONE = new Copies() {
        @Override
        public Weight plain(Weight w) {
            return w;
        }

        @Override
        public Optional<Weight> interleaved(Weight w, Interleaving order) {
            return Optional.empty();
        }
    };

    /** The weight, or the weight with its bytes copied. @throws ExecutorException if a copy is wanted and memory does not suffice */
    Weight plain(Weight w) throws ExecutorException;

    /**
     * A copy of a weight of one part, its rows interleaved; empty where weights are read as they are, or not all rows of the
     * part fall into whole groups.
     *
     * @throws ExecutorException as {@link #plain}
     */
    Optional<Weight> interleaved(Weight w, Interleaving order) throws ExecutorException;
}
