package poot.core.kernel.plan;

import java.util.List;
import java.util.function.IntFunction;
import poot.core.kernel.device.Argument;
import poot.core.kernel.generate.Stages;

/** Kernels that together compute one thing, over the memory of one equation. */
final class StagedSteps {
    private final Planning to;

    StagedSteps(Planning to) {
        this.to = to;
    }

    /** Adds a step for each stage. */
    void add(Stages stages, List<Span> operands, List<Span> results) {
        List<Span> scratch = stages.scratch().stream().map(to.places()::scratch).toList();
        for (Stages.Stage s : stages.stages()) {
            to.call(s.generator(), s.grid(), s.given().stream().map(g -> actual(g, operands::get, results::get, scratch::get)).toArray(Actual[]::new));
        }
    }

    private static Actual actual(Stages.Given g, IntFunction<Span> operands, IntFunction<Span> results, IntFunction<Span> scratch) {
        return switch (g) {
            case Stages.Given.Operand o -> operands.apply(o.index());
            case Stages.Given.Result r -> results.apply(r.index());
            case Stages.Given.Scratch s -> scratch.apply(s.index());
            case Stages.Given.Number n -> new Actual.Scalar(Argument.u32(n.value()));
        };
    }
}
