package poot.api.graph;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * One operation applied: results = op(operands).
 *
 * @param scope where in the model it was traced, for messages: {@code layers.3.attention}; may be empty
 */
public record Equation(Op op, List<Value> inputs, List<Value> outputs, String scope) {
    public Equation {
        Objects.requireNonNull(op);
        Objects.requireNonNull(scope);
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    /** The only result. */
    public Value output() {
        if (outputs.size() != 1) {
            throw new IllegalStateException("not one result: " + this);
        }
        return outputs.get(0);
    }

    @Override
    public String toString() {
        String name = op instanceof Op.Composed c ? c.composite().toString() : op.toString();
        return outputs.stream().map(Value::toString).collect(Collectors.joining(", "))
                + " = " + name
                + inputs.stream().map(v -> "%" + v.id()).collect(Collectors.joining(", ", "(", ")"))
                + (scope.isEmpty() ? "" : "  # " + scope);
    }
}
