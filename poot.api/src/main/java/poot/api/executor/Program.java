package poot.api.executor;

import java.util.List;
import java.util.Objects;
import poot.api.graph.Graph;

/**
 * A compiled step: what a backend runs. The graph holds only what the backend's {@link Target} accepts; the kernels
 * cover its equations in order, each equation in exactly one kernel; the plan gives every value that crosses kernels
 * a place in one arena.
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
