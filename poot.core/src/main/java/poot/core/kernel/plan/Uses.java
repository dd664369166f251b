package poot.core.kernel.plan;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.ir.Param;

/**
 * What a step does with some bytes; weights, which no step writes, are left out.
 *
 * @param company steps of one number above 0 need no order among them
 */
record Uses(Span span, boolean writes, int company) {
    /** Those of a step. */
    static List<Uses> of(Step step, Kernels kernels) {
        return switch (step) {
            case Step.Call c -> call(c, kernels);
            case Step.Copy c -> List.of(new Uses(c.from(), false, 0), new Uses(c.to(), true, 0));
            case Step.Zero z -> List.of(new Uses(z.to(), true, 0));
        };
    }

    private static List<Uses> call(Step.Call c, Kernels kernels) {
        List<Uses> out = new ArrayList<>();
        List<Param> params = kernels.of(c.generator()).params();
        for (int i = 0; i < c.actuals().size(); i++) {
            if (c.actuals().get(i) instanceof Span s && params.get(i) instanceof Param.Buffer b && !(s.home() instanceof Home.Resident)) {
                out.add(new Uses(s, b.access().writes(), c.company()));
            }
        }
        return out;
    }

    /** Whether the one must not begin before the other ended. */
    boolean meets(Uses other) {
        return (writes || other.writes) && (company == 0 || company != other.company) && span.meets(other.span);
    }
}
