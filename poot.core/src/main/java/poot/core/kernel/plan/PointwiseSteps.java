package poot.core.kernel.plan;

import java.util.ArrayList;
import java.util.List;
import poot.api.executor.ExecutorException;
import poot.api.graph.Equation;
import poot.api.graph.Shape;
import poot.api.graph.Value;
import poot.core.kernel.generate.Strided;
import poot.core.kernel.generate.pointwise.Pointwise;

/** Elementwise equations whose results stretch to one shape, as one step. */
final class PointwiseSteps {
    private final Planning to;

    PointwiseSteps(Planning to) {
        this.to = to;
    }

    /** Adds the step; {@code results} are what others read, all of one shape. */
    void add(List<Equation> run, List<Value> results) throws ExecutorException {
        if (results.isEmpty() || results.getFirst().shape().count() == 0) {
            return;
        }
        Shape shape = results.getFirst().shape();
        Formula f = Formula.of(to, run, List.of(), results);
        List<Operand> out = new ArrayList<>();
        for (Value v : results) {
            out.add(to.result(v));
        }
        Strided at = Strided.of(shape, f.operands().stream().map(o -> Strided.stretched(o.shape(), shape)).toList());
        boolean aligned = f.operands().stream().allMatch(Operand::beginsAtFour) && out.stream().allMatch(Operand::beginsAtFour);
        Pointwise kernel = new Pointwise(f.expression(), at, aligned ? at.lanes() : 1);
        List<Actual> actuals = new ArrayList<>();
        f.operands().forEach(o -> actuals.add(o.span()));
        out.forEach(o -> actuals.add(o.span()));
        to.call(kernel, kernel.grid(to.limits()), actuals.toArray(Actual[]::new));
    }
}
