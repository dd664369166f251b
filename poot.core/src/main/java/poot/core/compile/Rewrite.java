package poot.core.compile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.TensorType;
import poot.api.graph.Value;

/** A graph being copied equation by equation while some of its values are replaced by others of the same type. */
final class Rewrite {
    private final Graph source;
    private final List<Equation> equations = new ArrayList<>();
    private final Map<Integer, Value> replaced = new HashMap<>();
    private final Map<Integer, Equation> definitions = new HashMap<>();
    private int next;

    Rewrite(Graph source) {
        this.source = source;
        this.next = source.valueBound();
    }

    /** The value that now stands for {@code v}. */
    Value of(Value v) {
        return replaced.getOrDefault(v.id(), v);
    }

    /** The equation over the values that now stand for its operands. */
    Equation of(Equation e) {
        List<Value> in = e.inputs().stream().map(this::of).toList();
        return in.equals(e.inputs()) ? e : new Equation(e.op(), in, e.outputs(), e.scope());
    }

    /** Appends an equation whose operands are already those of the copy. */
    void emit(Equation e) {
        equations.add(e);
        e.outputs().forEach(v -> definitions.put(v.id(), e));
    }

    /** Appends an operation of one result under a fresh value. */
    Value append(Op op, List<Value> in, TensorType type, String scope) {
        Value v = new Value(next++, type);
        emit(new Equation(op, in, List.of(v), scope));
        return v;
    }

    /** A value no equation defines yet. */
    Value fresh(TensorType type) {
        return new Value(next++, type);
    }

    /** From now on {@code by} stands for {@code old}. */
    void replace(Value old, Value by) {
        if (!old.type().equals(by.type())) {
            throw new IllegalArgumentException(old + " replaced by " + by);
        }
        replaced.put(old.id(), by);
    }

    /** The equation of the copy that defines {@code v}. */
    Optional<Equation> definition(Value v) {
        return Optional.ofNullable(definitions.get(v.id()));
    }

    /** The operation that defines {@code v}, if it is of the given kind. */
    <T extends Op> Optional<T> definedBy(Value v, Class<T> kind) {
        return definition(v).map(Equation::op).filter(kind::isInstance).map(kind::cast);
    }

    /** The copy. */
    Graph finish() {
        return new Graph(
                equations,
                source.outputs().stream().map(o -> new Graph.Output(o.name(), of(o.value()))).toList(),
                source.states().stream().map(c -> new Graph.Carried(c.name(), of(c.before()), of(c.after()))).toList(),
                source.validations().stream().map(v -> new Graph.Validation(v.what(), of(v.ok()))).toList());
    }
}
