package poot.api.executor;

import java.util.List;
import java.util.Objects;
import poot.api.graph.Graph;

/**
 * A compiled step: what a backend runs. The graph holds only what the backend's {@link Target} accepts; the kernels
 * run its equations in an order that keeps every operand before its use.
 *
 * <p>Leaves (constants, slots, states, literals) and reshapes are in no kernel: they lie somewhere already. A weight
 * read, that is a packed decode or the cast of a stored constant, is {@link BufferPlan.Place.Internal} and stands at
 * the head of every kernel that consumes it, whose inputs then hold the constant; where its value must itself lie in
 * memory (under a reshape, or as a result) it is a kernel of its own. Every other equation is in exactly one kernel.
 * A kernel of several equations beside weight reads is elementwise over one shape and has one output.
 *
 * <p>A carried state whose end lies elsewhere than in the state's buffer is copied there after the last kernel.
 */
public record Program(Graph graph, List<Kernel> kernels, BufferPlan buffers) {
    public Program {
        Objects.requireNonNull(graph);
        Objects.requireNonNull(buffers);
        kernels = List.copyOf(kernels);
    }

    /** Kernels in order, then the arena. */
    @Override
    public String toString() {
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < kernels.size(); i++) {
            s.append(i).append(": ").append(kernels.get(i)).append('\n');
        }
        return s.append("arena ").append(buffers.arenaBytes()).append(" bytes, ")
                .append(buffers.places().size()).append(" values\n").toString();
    }
}
