package poot.api.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A traced step: equations in topological order, every value defined once, and what the step exchanges with its
 * surroundings. Immutable. Slots, states and constants are the leaves among the equations.
 *
 * @param equations   in an order where every operand is defined before its use
 * @param outputs     the device values the step returns, by name
 * @param states      the carried states: the value at the step's end replaces the value at its begin
 * @param validations what the executor checks after the step, before any output is read
 */
public record Graph(List<Equation> equations, List<Output> outputs, List<Carried> states, List<Validation> validations) {
    public Graph {
        equations = List.copyOf(equations);
        outputs = List.copyOf(outputs);
        states = List.copyOf(states);
        validations = List.copyOf(validations);
    }

    /** A named result. */
    public record Output(String name, Value value) {
        public Output {
            Objects.requireNonNull(name);
            Objects.requireNonNull(value);
        }
    }

    /** A carried state: its value at the begin and at the end of the step, of one type. */
    public record Carried(String name, Value before, Value after) {
        public Carried {
            Objects.requireNonNull(name);
            if (!before.type().equals(after.type())) {
                throw new IllegalArgumentException("state " + name + " changes its type: " + before + " to " + after);
            }
        }
    }

    /**
     * A condition that must hold: a BOOL [R] tensor, true for every row that is right. The executor reports the rows
     * where it is false.
     */
    public record Validation(String what, Value ok) {
        public Validation {
            Objects.requireNonNull(what);
            if (ok.element() != ElementType.BOOL || ok.shape().rank() != 1) {
                throw new IllegalArgumentException("validation " + what + " is " + ok.type() + ", not bool [rows]");
            }
        }
    }

    /** The output of that name. */
    public Optional<Value> output(String name) {
        return outputs.stream().filter(o -> o.name().equals(name)).map(Output::value).findFirst();
    }

    /** The slots of the graph, in the order traced. */
    public List<Op.Slot> slots() {
        return leaves(Op.Slot.class);
    }

    /** The weight constants of the graph, in the order traced. */
    public List<Op.Const> constants() {
        return leaves(Op.Const.class);
    }

    /** One more than the largest value id. */
    public int valueBound() {
        int bound = 0;
        for (Equation e : equations) {
            for (Value v : e.outputs()) {
                bound = Math.max(bound, v.id() + 1);
            }
        }
        return bound;
    }

    private <T extends Op> List<T> leaves(Class<T> kind) {
        List<T> out = new ArrayList<>();
        for (Equation e : equations) {
            if (kind.isInstance(e.op())) {
                out.add(kind.cast(e.op()));
            }
        }
        return out;
    }

    /** One equation a line, then outputs, states and validations. */
    @Override
    public String toString() {
        StringBuilder s = new StringBuilder();
        equations.forEach(e -> s.append(e).append('\n'));
        outputs.forEach(o -> s.append("output ").append(o.name()).append(" = ").append(o.value()).append('\n'));
        states.forEach(c -> s.append("state ").append(c.name()).append(": ").append(c.before()).append(" -> ")
                .append(c.after()).append('\n'));
        validations.forEach(v -> s.append("check ").append(v.what()).append(": ").append(v.ok()).append('\n'));
        return s.toString();
    }
}
