package poot.backend.cpu.kernel.weight;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import poot.api.executor.ExecutorException;
import poot.api.graph.Weight;
import poot.backend.cpu.x86.weight.Interleaving;
import poot.backend.cpu.x86.weight.Regrouping;

/** Copies of weights for kernels that read them in an order of their own. Each is made when it is first asked for. */
public interface Copies {
    /**
     * A weight with the rows of its first part interleaved; empty where there is no copy, or not all rows of the part fall
     * into whole groups.
     *
     * @throws ExecutorException if memory does not suffice for a copy
     */
    Optional<Weight> interleaved(Weight w, Interleaving order) throws ExecutorException;

    /**
     * Of a weight whose rows lie side by side those that are made of it; empty where there is no copy.
     *
     * @throws ExecutorException likewise
     */
    Optional<Weight> made(Weight w, Making making) throws ExecutorException;

    /** Makes rows. */
    interface Making {
        /** How. */
        Regrouping how();

        /** Rows of a group. */
        int lanes();

        /** Writes groups {@code from} to {@code end} from byte {@code at} of {@code to} on, {@code rowBytes · lanes} bytes each. */
        void make(int from, int end, MemorySegment to, long at);
    }
}
