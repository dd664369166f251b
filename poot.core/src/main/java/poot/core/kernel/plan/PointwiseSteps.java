package poot.core.kernel.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import poot.api.executor.ExecutorException;
import poot.api.graph.ElementType;
import poot.api.graph.Equation;
import poot.api.graph.Op;
import poot.api.graph.Shape;
import poot.api.graph.Value;
import poot.core.kernel.generate.Strided;
import poot.core.kernel.generate.pointwise.Expression;
import poot.core.kernel.generate.pointwise.Pointwise;

/** Elementwise equations whose results have one shape, as one step. Literals of one element become part of the code. */
final class PointwiseSteps {
    private final Planning to;
    private final List<Equation> run;
    private final Shape shape;
    private final Map<Integer, Integer> numbers = new HashMap<>();
    private final List<Operand> operands = new ArrayList<>();
    private final List<Op.Literal> literals = new ArrayList<>();

    PointwiseSteps(Planning to, List<Equation> run) {
        this.to = to;
        this.run = run;
        this.shape = run.getFirst().output().shape();
    }

    /** Adds the step; {@code results} are what others read. */
    void add(List<Value> results) throws ExecutorException {
        if (shape.count() == 0 || results.isEmpty()) {
            return;
        }
        Expression expression = expression(results);
        List<Operand> out = new ArrayList<>();
        for (Value v : results) {
            out.add(to.result(v));
        }
        Strided at = Strided.of(shape, operands.stream().map(o -> Strided.stretched(o.shape(), shape)).toList());
        boolean aligned = operands.stream().allMatch(Operand::beginsAtFour) && out.stream().allMatch(Operand::beginsAtFour);
        Pointwise kernel = new Pointwise(expression, at, aligned ? at.lanes() : 1);
        List<Actual> actuals = new ArrayList<>();
        operands.forEach(o -> actuals.add(o.span()));
        out.forEach(o -> actuals.add(o.span()));
        to.call(kernel, kernel.grid(to.limits()), actuals.toArray(Actual[]::new));
    }

    private Expression expression(List<Value> results) throws ExecutorException {
        inputs();
        List<Expression.Node> nodes = new ArrayList<>();
        literals.forEach(l -> nodes.add(new Expression.Node(l, List.of(), l.data().type().element())));
        for (Equation e : run) {
            nodes.add(new Expression.Node(e.op(), e.inputs().stream().map(v -> numbers.get(v.id())).toList(), e.output().element()));
            numbers.put(e.output().id(), operands.size() + nodes.size() - 1);
        }
        List<ElementType> types = operands.stream().map(Operand::element).toList();
        return new Expression(types, nodes, results.stream().map(v -> numbers.get(v.id())).toList());
    }

    /** Numbers what is read from outside: first what lies in memory, then literals. */
    private void inputs() throws ExecutorException {
        List<Value> outside = run.stream().flatMap(e -> e.inputs().stream()).distinct()
                .filter(v -> run.stream().noneMatch(e -> e.output().equals(v))).toList();
        for (Value v : outside) {
            if (!(to.places().definition(v).op() instanceof Op.Literal l && l.data().count() == 1)) {
                numbers.put(v.id(), operands.size());
                operands.add(to.operand(v));
            }
        }
        for (Value v : outside) {
            if (to.places().definition(v).op() instanceof Op.Literal l && l.data().count() == 1) {
                numbers.put(v.id(), operands.size() + literals.size());
                literals.add(l);
            }
        }
    }
}
