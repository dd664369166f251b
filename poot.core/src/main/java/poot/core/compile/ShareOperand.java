package poot.core.compile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import poot.api.executor.Kernel;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;

/**
 * {@code i: y = x·Aᵀ; j: z = x·Bᵀ  ->  i: y, z = x·[A, B]ᵀ} for weights A and B: query, key and value; gate and up.
 * Bit-exact: each column is computed as before.
 */
record ShareOperand() implements KernelPass {
    /** Products of the largest kernel this makes. */
    private static final int LARGEST = 8;

    @Override
    public List<Kernel> apply(Graph graph, List<Kernel> kernels) {
        Grouping g = new Grouping(graph, kernels);
        Map<Integer, Grouping.Group> first = new HashMap<>();
        for (int k = 0; k < g.size(); k++) {
            List<Equation> own = g.group(k).equations();
            Optional<Equation> product = own.stream().filter(e -> e.op() instanceof Op.MatMul).findFirst();
            if (product.isEmpty() || !own.stream().allMatch(ContractionForm::multiplies)
                    || !ContractionForm.holds(own, g::weight, List.of())) {
                continue;
            }
            int x = product.get().inputs().getFirst().id();
            Grouping.Group before = first.get(x);
            if (before != null && before.equations().size() + own.size() <= LARGEST) {
                int at = before.at();
                List<Equation> both = new ArrayList<>(before.equations());
                both.addAll(own);
                if (ContractionForm.holds(both, g::weight, List.of()) && g.join(at, k, Kernel.Kind.CONTRACTION, 1)) {
                    k--;
                    g.maker(product.get().output().id()).map(g::group).ifPresent(joined -> first.put(x, joined));
                    continue;
                }
            }
            first.put(x, g.group(k));
        }
        return g.kernels();
    }
}
