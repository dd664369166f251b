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
 *
 * <p>A kernel may hold several equations beside weight reads. An executor may always run them one after the other;
 * what it may do instead depends on the kind. In all of them a reshape of a value made inside stands in the kernel too
 * where it is read there, and a weight, a product's right operand, is read from outside.
 *
 * <ul>
 * <li>{@link Kernel.Kind#POINTWISE}, and a kernel of claimed elementwise composites: elementwise over one shape, which
 * is that of every output; a value inside may be smaller and stretch to it.
 * <li>{@link Kernel.Kind#CONTRACTION}: transposed products of one left operand, made outside, with weights of one matrix
 * [n, k]; then elementwise equations. For a target that {@link Target#multipliesGathered}, each row of the results may have a
 * matrix of a weight [N, n, k] to itself instead: then the gathers of the matrices, by the same indices, stand in the kernel,
 * and nothing else reads them. Equations that read one another, or the same product, and the products they
 * read have results of one shape [.., n]; a value that depends on no product may be smaller. So element (row, column)
 * of a result needs of the products that element alone, and columns can be computed in any order.
 * <li>{@link Kernel.Kind#ROW}: cut into {@link Kernel#rows} equal parts in row-major order, part i of every result needs
 * part i of the values made inside and no other part, whatever it needs of values made outside. A scatter in such a
 * kernel replaces; it is cut by its updates, and no other equation of the kernel reads its target or its result.
 * </ul>
 *
 * <p>A value of such a kernel that nothing outside reads is no output. It is {@link BufferPlan.Place.Internal} where only
 * the elementwise part around it needs it, and otherwise lies in the arena, where nothing overlaps it during the kernel.
 * An executor that needs memory for an internal value provides its own.
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
