package poot.core.compile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import poot.api.executor.Kernel;
import poot.api.graph.Equation;
import poot.api.graph.Graph;

/**
 * {@code i: y = x·Aᵀ; j: z = f(y, b)  ->  i: z = f(x·Aᵀ, b)} for elementwise f over the product's shape: bias, residual,
 * gate and activation. y stays inside unless something else reads it. Bit-exact: every operation still rounds its own
 * result.
 */
record FuseEpilogues() implements KernelPass {
    /** Equations and inputs of the largest kernel this makes. */
    private static final int LARGEST = 32;

    @Override
    public List<Kernel> apply(Graph graph, List<Kernel> kernels) {
        Grouping g = new Grouping(graph, kernels);
        for (int k = 0; k < g.size(); k++) {
            if (g.elementwise(g.group(k)) && joined(g, k)) {
                k--;
            }
        }
        return g.kernels();
    }

    /** Whether elementwise group {@code k} became part of the product before it. */
    private static boolean joined(Grouping g, int k) {
        Optional<Integer> product = g.group(k).read().stream().flatMap(v -> g.maker(v).stream())
                .filter(i -> i < k && g.group(i).kind() == Kernel.Kind.CONTRACTION).max(Comparator.naturalOrder());
        if (product.isEmpty()) {
            return false;
        }
        List<Equation> both = new ArrayList<>(g.group(product.get()).equations());
        both.addAll(g.group(k).equations());
        return both.size() <= LARGEST && g.operands(both) <= LARGEST
                && ContractionForm.holds(both, g::weight, g.outputs(both))
                && g.join(product.get(), k, Kernel.Kind.CONTRACTION, 1);
    }
}
