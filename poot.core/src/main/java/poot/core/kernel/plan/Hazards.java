package poot.core.kernel.plan;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.ir.Param;

/**
 * Which steps must wait: one that reads what a step since the last wait wrote, or writes what one read or wrote, counting
 * bytes.
 */
final class Hazards {
    private record Use(Span span, boolean writes, int company) {
        boolean meets(Use other) {
            return (writes || other.writes) && (company == 0 || company != other.company) && span.meets(other.span);
        }
    }

    private final Kernels kernels;
    private final List<Use> pending = new ArrayList<>();

    private Hazards(Kernels kernels) {
        this.kernels = kernels;
    }

    /** Of each step whether it must wait. */
    static List<Boolean> waits(List<Step> steps, Kernels kernels) {
        Hazards h = new Hazards(kernels);
        return steps.stream().map(h::next).toList();
    }

    private boolean next(Step step) {
        List<Use> uses = uses(step);
        boolean waits = uses.stream().anyMatch(u -> pending.stream().anyMatch(u::meets));
        if (waits) {
            pending.clear();
        }
        pending.addAll(uses);
        return waits;
    }

    private List<Use> uses(Step step) {
        return switch (step) {
            case Step.Call c -> call(c);
            case Step.Copy c -> List.of(new Use(c.from(), false, 0), new Use(c.to(), true, 0));
            case Step.Zero z -> List.of(new Use(z.to(), true, 0));
        };
    }

    private List<Use> call(Step.Call c) {
        List<Use> out = new ArrayList<>();
        List<Param> params = kernels.of(c.generator()).params();
        for (int i = 0; i < c.actuals().size(); i++) {
            if (c.actuals().get(i) instanceof Span s && params.get(i) instanceof Param.Buffer b && !(s.home() instanceof Home.Resident)) {
                out.add(new Use(s, b.access().writes(), c.company()));
            }
        }
        return out;
    }
}
