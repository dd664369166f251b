package poot.core.kernel.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import poot.api.executor.ExecutorException;
import poot.api.graph.ElementType;
import poot.api.graph.Equation;
import poot.api.graph.Op;
import poot.api.graph.Value;
import poot.core.kernel.generate.pointwise.Expression;

/**
 * Elementwise equations as an expression. Literals of one element become part of it.
 *
 * @param expression its inputs are what is given, then the operands
 * @param operands   what is read from memory
 */
record Formula(Expression expression, List<Operand> operands) {
    /**
     * The formula of some equations.
     *
     * @param given   values that whoever runs the expression has, F32
     * @param results the values it gives
     */
    static Formula of(Planning to, List<Equation> equations, List<Value> given, List<Value> results) throws ExecutorException {
        Map<Integer, Integer> numbers = new HashMap<>();
        given.forEach(v -> numbers.put(v.id(), numbers.size()));
        List<Value> made = equations.stream().map(Equation::output).toList();
        List<Value> outside = equations.stream().flatMap(e -> e.inputs().stream()).distinct()
                .filter(v -> !made.contains(v) && !given.contains(v)).toList();
        List<Operand> operands = new ArrayList<>();
        List<ElementType> types = new ArrayList<>();
        given.forEach(v -> types.add(v.element()));
        for (Value v : outside) {
            if (!isNumber(to, v)) {
                numbers.put(v.id(), types.size());
                operands.add(to.operand(v));
                types.add(operands.getLast().element());
            }
        }
        List<Expression.Node> nodes = new ArrayList<>();
        for (Value v : outside) {
            if (isNumber(to, v)) {
                numbers.put(v.id(), types.size() + nodes.size());
                nodes.add(new Expression.Node(to.places().definition(v).op(), List.of(), v.element()));
            }
        }
        for (Equation e : equations) {
            List<Integer> in = e.inputs().stream().map(v -> numbers.get(v.id())).toList();
            numbers.put(e.output().id(), types.size() + nodes.size());
            nodes.add(new Expression.Node(e.op(), in, e.output().element()));
        }
        return new Formula(new Expression(types, nodes, results.stream().map(v -> numbers.get(v.id())).toList()), operands);
    }

    private static boolean isNumber(Planning to, Value v) {
        return to.places().definition(v).op() instanceof Op.Literal l && l.data().count() == 1;
    }
}
