package poot.core.kernel.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * Which steps must wait: one that reads what a step since the last wait wrote, or writes what one read or wrote, counting
 * bytes.
 */
final class Hazards {
    private final Kernels kernels;
    private final List<Uses> pending = new ArrayList<>();

    private Hazards(Kernels kernels) {
        this.kernels = kernels;
    }

    /** Of each step whether it must wait. */
    static List<Boolean> waits(List<Step> steps, Kernels kernels) {
        Hazards h = new Hazards(kernels);
        return steps.stream().map(h::next).toList();
    }

    /** Whether a step must wait for one of some. */
    static boolean meet(List<Step> some, Step step, Kernels kernels) {
        List<Uses> uses = Uses.of(step, kernels);
        return some.stream().flatMap(s -> Uses.of(s, kernels).stream()).anyMatch(p -> uses.stream().anyMatch(u -> u.meets(p)));
    }

    private boolean next(Step step) {
        List<Uses> uses = Uses.of(step, kernels);
        boolean waits = uses.stream().anyMatch(u -> pending.stream().anyMatch(u::meets));
        if (waits) {
            pending.clear();
        }
        pending.addAll(uses);
        return waits;
    }
}
