package poot.core.compile;

import java.util.List;
import java.util.Map;
import poot.api.executor.Fusion;
import poot.api.executor.Target;
import poot.api.graph.Role;
import poot.api.graph.Weight;

/** The passes of the compiler in the order they run: the one list there is. */
public final class Passes {
    private Passes() {}

    /** The graph passes for a target and a set of stored weights. */
    public static List<Pass> list(Map<Role, Weight> weights, Target target) {
        return List.of(
                new Canonicalise(),
                new EliminateCommon(),
                new FoldConstants(),
                new EliminateDead(),
                new GatherEarlier(),
                new InlineComposites(target),
                new Canonicalise(),
                new EliminateCommon(),
                new FoldConstants(),
                new EliminateCommon(),
                new EliminateDead(),
                new BindWeights(weights, target),
                new Legalise(target));
    }

    /** The passes over kernels, after the graph passes; the first whatever the fusion is, so that fusion changes no bit. */
    public static List<KernelPass> kernels(Fusion fusion, Target target) {
        KernelPass experts = new AbsorbGathers(target);
        return switch (fusion) {
            case OFF -> List.of(experts);
            case POINTWISE -> List.of(experts, new FuseElementwise());
            case FULL -> List.of(experts, new FuseElementwise(), new ShareOperand(), new FuseEpilogues(), new FuseRows());
        };
    }
}
