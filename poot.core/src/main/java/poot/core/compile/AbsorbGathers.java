package poot.core.compile;

import java.util.ArrayList;
import java.util.List;
import poot.api.executor.Kernel;
import poot.api.executor.Target;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;

/**
 * {@code i: g = w[r]; j: y = x·gᵀ  ->  i: y = x·w[r]ᵀ} for a weight w of several matrices and rows x, where nothing else reads
 * g: experts, which are multiplied where they are stored. The kernels of a target that does so compute the same from the same
 * operands; of any other target nothing changes.
 *
 * @param target who is asked
 */
record AbsorbGathers(Target target) implements KernelPass {
    @Override
    public List<Kernel> apply(Graph graph, List<Kernel> kernels) {
        Grouping g = new Grouping(graph, kernels);
        for (int k = 0; k < g.size() && target.multipliesGathered(); k++) {
            if (absorbs(g, k)) {
                k--;
            }
        }
        return g.kernels();
    }

    /** Whether the gather before product {@code k} became part of it. */
    private static boolean absorbs(Grouping g, int k) {
        List<Equation> own = g.group(k).equations();
        if (own.size() != 1 || !(own.getFirst().op() instanceof Op.MatMul)) {
            return false;
        }
        int at = g.maker(own.getFirst().inputs().get(1).id()).orElse(k);
        if (at >= k) {
            return false;
        }
        List<Equation> both = new ArrayList<>(g.group(at).equations());
        both.addAll(own);
        return both.size() == 2 && ContractionForm.gathers(both.getFirst(), g::weight)
                && ContractionForm.holds(both, g::weight, g.outputs(both)) && g.join(at, k, Kernel.Kind.CONTRACTION, 1);
    }
}
