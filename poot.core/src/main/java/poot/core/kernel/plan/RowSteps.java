package poot.core.kernel.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import poot.core.kernel.device.Argument;
import poot.core.kernel.generate.Rowed;
import poot.core.kernel.generate.row.RowGroup;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.Param;

/**
 * The steps of a kernel whose equations can be cut into rows as one step, where each of them goes through the same rows.
 * Steps that read weights alone, and what such steps made, stay before it.
 */
final class RowSteps {
    private final Kernels kernels;
    private final long rows;
    private final List<Step.Call> before = new ArrayList<>();
    private final List<Step.Call> together = new ArrayList<>();
    private final Map<Span, Access> buffers = new LinkedHashMap<>();

    private RowSteps(Kernels kernels, long rows) {
        this.kernels = kernels;
        this.rows = rows;
    }

    /** The steps that do what {@code steps} do: fewer, or they themselves. */
    static List<Step> of(List<Step> steps, long rows, Kernels kernels) {
        return steps.size() < 2 ? steps : new RowSteps(kernels, rows).joined(steps).orElse(steps);
    }

    private Optional<List<Step>> joined(List<Step> steps) {
        for (Step s : steps) {
            if (s instanceof Step.Call c && readsWeights(c)) {
                before.add(c);
            } else if (s instanceof Step.Call c && rowed(c)) {
                together.add(c);
            } else {
                return Optional.empty();
            }
        }
        if (together.size() < 2) {
            return Optional.empty();
        }
        together.forEach(this::declare);
        if (buffers.keySet().stream().anyMatch(this::isCut)) {
            return Optional.empty();
        }
        List<Step> out = new ArrayList<>(before);
        out.add(call());
        return Optional.of(out);
    }

    private boolean rowed(Step.Call c) {
        boolean spans = c.actuals().stream().limit(Math.max(0, c.actuals().size() - 1L)).allMatch(a -> a instanceof Span);
        return spans && c.generator() instanceof Rowed r && r.items(number(c).orElse(0)) % rows == 0;
    }

    private static Optional<Integer> number(Step.Call c) {
        return c.actuals().getLast() instanceof Actual.Scalar s && s.value() instanceof Argument.Int n
                ? Optional.of(n.value()) : Optional.empty();
    }

    /** Whether a step makes something of weights alone, or of what such steps made: for all rows at once, before them. */
    private boolean readsWeights(Step.Call c) {
        List<Uses> read = Uses.of(c, kernels).stream().filter(u -> !u.writes()).toList();
        boolean weight = c.actuals().stream().anyMatch(a -> a instanceof Span s && s.home() instanceof Home.Resident);
        return read.stream().allMatch(this::isMadeBefore) && (weight || !read.isEmpty());
    }

    private boolean isMadeBefore(Uses read) {
        return before.stream().anyMatch(b -> Uses.of(b, kernels).stream().anyMatch(w -> w.writes() && w.span().equals(read.span())));
    }

    private void declare(Step.Call c) {
        List<Param> params = kernels.of(c.generator()).params();
        for (int i = 0; i < params.size(); i++) {
            if (c.actuals().get(i) instanceof Span s && params.get(i) instanceof Param.Buffer b) {
                buffers.merge(s, b.access(), (x, y) -> x == y ? x : Access.READ_WRITE);
            }
        }
    }

    /** Whether another span is part of this memory, and one of them is written: they would have to be one parameter. */
    private boolean isCut(Span s) {
        return buffers.keySet().stream().anyMatch(o -> !o.equals(s) && o.meets(s) && (buffers.get(o).writes() || buffers.get(s).writes()));
    }

    private Step.Call call() {
        List<Span> order = List.copyOf(buffers.keySet());
        List<Actual> actuals = new ArrayList<>(order);
        List<RowGroup.Member> members = new ArrayList<>();
        List<Step> since = new ArrayList<>();
        for (Step.Call c : together) {
            boolean waits = Hazards.meet(since, c, kernels);
            if (waits) {
                since.clear();
            }
            since.add(c);
            Optional<Integer> number = number(c);
            number.ifPresent(n -> actuals.add(new Actual.Scalar(Argument.u32(n))));
            Rowed kernel = (Rowed) c.generator();
            List<Integer> own = c.actuals().stream().filter(a -> a instanceof Span).map(order::indexOf).toList();
            members.add(new RowGroup.Member(kernel, own, kernel.items(number.orElse(0)), number.isPresent(), waits));
        }
        RowGroup group = new RowGroup(members, order.stream().map(buffers::get).toList(), rows);
        return new Step.Call(group, actuals, group.grid(kernels.limits()), 0);
    }
}
